"""The errors a user can meet. Their text is one sentence to show a person as it stands."""


class DiscoveryError(Exception):
    """Something the user can put right: the text says what was found and what to do next."""


class ConfigError(DiscoveryError):
    """A setting is unknown, of the wrong type, out of range, or names something that is not there."""


class DataError(DiscoveryError):
    """A file, its content, or the folder of drafts is not as it has to be."""


class TooFewMessages(DataError):
    """There is not enough yet to discover anything in: a log that grows will do one day."""
