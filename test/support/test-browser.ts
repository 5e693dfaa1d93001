import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { findBrowser, NO_BROWSER, unpackBrowser } from './browser.ts';
import { onceARun } from './once-a-run.ts';
import { HANG_MS } from './until.ts';

/** Starts a browser. Where none runs it returns undefined, and the test must be skipped with the reason; CI fails. */
export async function startBrowser(): Promise<Browser | undefined> {
  await onceARun('browser', () => unpackBrowser().catch(() => ''));
  const browser = await findBrowser();
  if (!browser && process.env.CI) throw new Error(NO_BROWSER);
  return browser;
}

/** A browser for the tests of a file, which are all skipped where none runs, and fail in CI. */
export function useBrowser(): Browser {
  let running: Browser | undefined;
  beforeAll(async () => {
    running = await startBrowser();
  });
  beforeEach(({ skip }) => {
    if (!running) skip(NO_BROWSER);
    // Some tests only wait for what a page should show.
    expect(running).toBeDefined();
  });
  afterAll(async () => {
    await running?.close();
  });
  return new Proxy({} as Browser, {
    get: (_, name) => {
      if (!running) throw new Error(NO_BROWSER);
      const value = Reflect.get(running, name);
      return typeof value === 'function' ? value.bind(running) : value;
    },
  });
}

/** What the studio and the inbox show for four seconds, or offer to undo for ten, stays: a busy test would come too late. */
const KEEP_SHOWN = `{
  const { setTimeout } = window;
  window.setTimeout = (run, ms, ...given) =>
    setTimeout(run, ms === 4000 || ms === 10_000 ? 2 ** 31 - 1 : ms, ...given);
}`;

/** Opens a page in a separate context, which closes with it. It waits as long as everything else does. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage(options);
  await page.addInitScript(KEEP_SHOWN);
  page.setDefaultTimeout(HANG_MS);
  return page;
}
