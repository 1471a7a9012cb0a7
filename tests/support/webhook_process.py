"""`python webhook_process.py DATABASE_URL`: a worker that delivers webhooks, to be killed."""

import sys
import threading

from webhook_world import hook_settings
from worker.webhook_loop import WebhookLoop

if __name__ == "__main__":
    loop = WebhookLoop(hook_settings(webhook_timeout=60), sys.argv[1])
    loop.start()
    threading.Event().wait()
