import PostalMime from 'postal-mime';
import { expect } from 'vitest';
import type { LocalRun } from '../support/local-run.ts';
import { ask, localUrlOf, recordOf } from './ask.ts';
import { LINK, LINK_TAGS } from './everywhere.ts';

const VISITOR = {
  headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
};

/** The recipient opens the mail, and follows its link: both are in the log. */
export async function expectVisits(run: LocalRun, raw: Buffer | undefined, trackingId: string) {
  const { html = '', text } = await PostalMime.parse(raw ?? '');
  expect(text).toContain(LINK);
  expect(html).not.toContain('ses:tags');
  await openMail(localUrlOf(run, /<img src="([^"]+)"/.exec(html)?.[1] ?? ''));
  // Nobody follows a link at once.
  await ask(run, '/_sandbox/clock', { advance: 'PT3S' });
  const link = localUrlOf(run, /<a +href="([^"]+)"/.exec(html)?.[1] ?? '');
  const followed = await fetch(link, { ...VISITOR, redirect: 'manual' });
  expect([followed.status, followed.headers.get('location')]).toEqual([302, LINK]);
  const record = await recordOf(run, trackingId);
  expect(record).toMatchObject({
    email_opened_at: expect.any(String),
    email_opened_user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    email_opened_ip: expect.any(String),
    email_clicked_at: expect.any(String),
    email_clicked_link: LINK,
    email_clicked_link_tags: JSON.stringify(LINK_TAGS),
  });
  expect(record.email_preview).not.toContain('/track/');
}

async function openMail(pixel: string): Promise<void> {
  const shown = await fetch(pixel, VISITOR);
  const start = Buffer.from(await shown.arrayBuffer()).toString('latin1', 0, 6);
  expect([shown.status, shown.headers.get('content-type'), start]).toEqual([200, 'image/gif', 'GIF89a']);
}
