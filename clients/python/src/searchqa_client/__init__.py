"""Client of SearchQA: have the answers of your application judged."""
