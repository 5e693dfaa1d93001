import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { builtPage } from '../support/built-page.ts';
import { type LocalRun, startLocalRun } from '../support/local-run.ts';
import { openPage, useBrowser } from '../support/test-browser.ts';

const FRAME = readFileSync(new URL('../../studio/src/parts/frame.tsx', import.meta.url), 'utf8');

/** The views of the studio, from its own table. */
export const VIEWS = [...FRAME.matchAll(/^ {2}(\w+): \{(?: title: |$)/gm)].map(([, name = '']) => name);

const FIVE_PAST = 5 * 60_000;
const HOUR_MS = 3_600_000;

/** A local run with its studio, for the tests of one file. */
export type Studio = {
  service: () => LocalRun;
  browser: () => Browser;
  /** The page of the current test, or of all, in a separate context. */
  page: () => Page;
  /** Opens an address of the studio, such as `users/ada`. */
  open: (address: string) => Promise<unknown>;
  /** Adds members to a topic. */
  join: (topic: string, userIds: readonly string[]) => Promise<unknown>;
  /** Sends a notification; returns its tracking ID. */
  send: (body: object) => Promise<string>;
  /** Makes the current test fail with `text`, as an uncaught error or a dialog of the page does. */
  alarm: (text: string) => void;
};

/**
 * Starts a service and a browser for the tests of a file, which are skipped where no browser runs. The service clock starts
 * at five past an hour, so that no digest or quiet hours end while the tests run. Each test fails when its page throws or
 * opens a dialog. With `keepsPage` all tests have the same page, for a file that seldom uses it.
 */
export function studioOfFile({ keepsPage = false } = {}): Studio {
  let service: LocalRun;
  const browser = useBrowser();
  let page: Page | undefined;
  let alarms: string[] = [];

  beforeAll(async () => {
    const now = new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + FIVE_PAST).toISOString();
    service = await startLocalRun({ args: ['--clock', now], settings: await builtPage() });
  });
  afterAll(async () => {
    await service?.stop();
  });
  beforeEach(async () => {
    alarms = [];
    if (page) return;
    page = await openPage(browser, { viewport: { width: 1280, height: 800 } });
    page.on('pageerror', (error) => alarms.push(error.message));
    page.on('dialog', (dialog) => {
      alarms.push(dialog.message());
      dialog.dismiss();
    });
  });
  afterEach(async () => {
    // A route's handler can be in progress.
    await page?.unrouteAll({ behavior: 'ignoreErrors' });
    if (!keepsPage) {
      await page?.close();
      page = undefined;
    }
    expect(alarms).toEqual([]);
  });

  const current = () => {
    if (!page) throw new Error('there is no page outside of a test');
    return page;
  };
  return {
    service: () => service,
    browser: () => browser,
    page: current,
    open: (address) => current().goto(`${service.baseUrl}/#/${address}`),
    join: (topic, userIds) =>
      fetch(`${service.baseUrl}/topics/${encodeURIComponent(topic)}/users`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${service.secretKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ userIds }),
      }),
    send: async (body) => (await service.request('/send', body)).json.trackingId,
    alarm: (text) => alarms.push(text),
  };
}
