"""What is remembered beside prices: answers, threads, settings, audit."""
