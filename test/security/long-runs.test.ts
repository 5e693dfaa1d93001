import { describe, expect, it } from 'vitest';
import { readMail } from '../../shared/channels/email/inbound/read-mail.ts';

// An expression that tries each start of a run takes half an hour for these. Counters of steps do not see inside expressions.
const LENGTH = 1_000_000;

describe('an email in quoted-printable that is one run of the same character', () => {
  it.each([
    ['spaces', ' '],
    ['tabs', '\t'],
    ['letters', 'a'],
    ['equals signs', '='],
  ])('is read: %s', async (_, character) => {
    const headers = 'From: a@example.com\r\nContent-Transfer-Encoding: quoted-printable';
    const { text } = await readMail(Buffer.from(`${headers}\r\n\r\nstart${character.repeat(LENGTH)}end`));
    expect(text).toMatch(/^start/);
  });
});
