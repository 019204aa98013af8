"""What reviewers decide and answer: the verbs, the folder of drafts and its journal, and who decided what."""
