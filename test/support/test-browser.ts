import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { findBrowser, NO_BROWSER, unpackBrowser } from './browser.ts';
import { onceARun } from './once-a-run.ts';
import { HANG_MS } from './until.ts';

/** Starts a browser for a test file; warns and returns undefined when none runs on this machine. */
export async function startBrowser(): Promise<Browser | undefined> {
  await onceARun('browser', () => unpackBrowser().catch(() => ''));
  const browser = await findBrowser();
  if (!browser) console.warn(NO_BROWSER);
  return browser;
}

/** Opens a page in a separate context, which closes with it. It waits as long as everything else does. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(HANG_MS);
  return page;
}
