"""The installation: embedded servers, processes that report, retention."""
