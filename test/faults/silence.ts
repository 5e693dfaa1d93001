// Read when the logger is imported: thousands of injected errors are no news.
process.env.LOG_LEVEL = 'SILENT';
