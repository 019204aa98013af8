"""What a person does with the drafts: in a browser, in a terminal, on a page to read.

Each of these packages imports only those above it:

    decisions/  what reviewers decide and answer, and the folder of drafts that keeps it
    messages/   the messages of a run: where each is now, what is alike, the search
    findings/   what a run found, in words
    applying/   how drafts get into the bot
    next_run/   the run after a review, and what it takes over
    web/        the page itself: its text, styles and scripts
    page/       what the page gets, and the report
    terminal/   the review in the terminal
    desk/       the server of the page
"""
