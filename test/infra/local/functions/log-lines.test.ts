import { stripVTControlCharacters } from 'node:util';
import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { createLogLines } from '../../../../infra/local/functions/log-lines.ts';
import { printable, printed } from '../../../../infra/terminal.ts';

const ID = '01a1fe6b-0000-7000-8000-2f5d0c9a1b11';
const AT = Date.parse('2026-11-21T08:30:00Z');

const record = (
  sk: string,
  more: object = {},
  eventName: 'INSERT' | 'MODIFY' = 'INSERT',
): DynamoDBRecord => ({
  eventName,
  dynamodb: {
    NewImage: {
      pk: { S: `LOG#${ID}` },
      sk: { S: sk },
      n: { S: 'welcome' },
      u: { S: 'ada' },
      at: { N: String(AT) },
      f: { M: {} },
      ...more,
    },
  },
});

const linesOf = (...records: DynamoDBRecord[]) =>
  createLogLines()(records).map((line) => stripVTControlCharacters(printed(line)));
/** The lines without the date, time and tracking ID. */
const wordsOf = (...records: DynamoDBRecord[]) =>
  linesOf(...records)
    .slice(1)
    .map((line) => line.trim().split(/ {2,}/).slice(2).join(' | '));
const head = (state: string, more: object = {}) => ({
  state: { S: state },
  routes: { M: { EMAIL: { M: { r: { S: 'SEND' } } } } },
  ...more,
});

describe('a log line', () => {
  it('shows each stage of a message and the code of a failure, without costs', () => {
    const failed = { f: { M: { sms_failed_code: { S: '21610' } } } };
    const records = [
      record('EVENT#sms#cost'),
      record('EVENT#sms#sent'),
      record('EVENT#chat#sent', { d: { M: {} } }),
      record('EVENT#sms#failed', failed),
      record('', { sk: { S: 'PROFILE' } }),
    ];
    expect(wordsOf(...records)).toEqual([
      'sms | sent | welcome -> ada',
      'chat | sent | welcome -> ada',
      'chat | delivered | welcome -> ada',
      'sms | failed | welcome -> ada | 21610',
    ]);
  });

  it('shows the complete tracking ID', () => {
    expect(linesOf(record('EVENT#sms#sent'))[1]).toContain(ID);
  });

  it('shows the decisions for a notification', () => {
    expect(wordsOf(record('HEAD', head('accepted')))).toEqual(['accepted | welcome -> ada | EMAIL=SEND']);
  });

  it('shows the outcome of a phone call that reached nobody', () => {
    const call = (code: string) =>
      record('EVENT#call#delivered', { f: { M: { call_delivered_code: { S: code } } } });
    expect(wordsOf(call('BUSY'), call('NO_ANSWER'), call('COMPLETED'))).toEqual([
      'call | busy | welcome -> ada',
      'call | no answer | welcome -> ada',
      'call | delivered | welcome -> ada',
    ]);
  });

  it('shows scheduled once, then rescheduled and due', () => {
    const due = { N: String(AT + 3_600_000) };
    const moved = { N: String(AT + 1000) };
    expect(
      wordsOf(
        record('HEAD', head('scheduled', { due })),
        record('HEAD', head('scheduled', { due }), 'MODIFY'),
        record('HEAD', head('scheduled', { due, moved }), 'MODIFY'),
        record('HEAD', head('accepted', { due, done: due }), 'MODIFY'),
        record('HEAD', head('cancelled', { due, deleted: moved }), 'MODIFY'),
      ),
    ).toEqual([
      'scheduled | welcome -> ada | for 2026-11-21T09:30:00.000Z',
      'rescheduled | welcome -> ada | for 2026-11-21T09:30:00.000Z',
      'due | welcome -> ada | EMAIL=SEND',
      'cancelled | welcome -> ada',
    ]);
  });

  it('shows a rejected change or schedule as rejected, with its code', () => {
    const refused = {
      n: { S: '' },
      u: { S: '' },
      failedCode: { S: 'SCHEDULE_RESOURCE_NOT_FOUND' },
      failedAt: { N: String(AT) },
    };
    expect(wordsOf(record('HEAD', head('cancelled', refused)))).toEqual([
      'rejected | SCHEDULE_RESOURCE_NOT_FOUND',
    ]);
  });

  it('exists for the delivery log only', () => {
    const digest = record('ITEM#x', { pk: { S: 'DIGEST#env#ada#welcome##EMAIL#1' } });
    expect(linesOf(digest, record('BUCKET', { pk: { S: 'DIGEST#x' } }))).toEqual([]);
  });

  it('starts with the date when the day changes', () => {
    const later = { at: { N: String(AT + 86_400_000) } };
    const lines = linesOf(
      record('EVENT#sms#sent'),
      record('EVENT#sms#sent'),
      record('EVENT#sms#sent', later),
    );
    expect(lines.map((line) => line.slice(0, 12))).toEqual([
      '2026-11-21',
      '08:30:00.000',
      '08:30:00.000',
      '2026-11-22',
      '08:30:00.000',
    ]);
  });

  it('shows terminal control characters by their code point', () => {
    const hostile = { n: { S: 'a\u001b[2Jb\u009b31m' }, u: { S: '\u202eada\u200f\u2066' } };
    expect(wordsOf(record('EVENT#sms#sent', hostile))).toEqual([
      'sms | sent | a\\u{1b}[2Jb\\u{9b}31m -> \\u{202e}ada\\u{200f}\\u{2066}',
    ]);
    expect(printable('Zoë 日本 👍🏽')).toBe('Zoë 日本 👍🏽');
  });
});
