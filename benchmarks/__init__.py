"""What the project claims, measured. Nothing here is installed with the package."""
