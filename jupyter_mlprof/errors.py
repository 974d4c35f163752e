"""Errors that a user meets: one sentence that says what to do."""


class MlprofError(Exception):
    """Base of all errors of this package; its text is shown to the user as it is."""


class ProfileError(MlprofError):
    """A stored profile cannot be read."""
