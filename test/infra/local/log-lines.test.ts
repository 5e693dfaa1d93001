import type { DynamoDBRecord } from 'aws-lambda';
import { expect, it } from 'vitest';
import { logLinesOf } from '../../../infra/local/log-lines.ts';

const record = (sk: string, more: object = {}): DynamoDBRecord => ({
  eventName: 'INSERT',
  dynamodb: {
    NewImage: {
      pk: { S: 'LOG#01a1fe6b-0000-7000-8000-2f5d0c9a1b11' },
      sk: { S: sk },
      n: { S: 'welcome' },
      u: { S: 'ada' },
      at: { N: '1795250000000' },
      ...more,
    },
  },
});

const wordsOf = (...Records: DynamoDBRecord[]) =>
  logLinesOf({ Records }).map((line) => line.split(/ +/).slice(1).join(' '));

it('a line tells each stage of a message, with the code of a failure, and nothing of its cost', () => {
  const failed = { f: { M: { sms_failed_code: { S: '21610' } } } };
  expect(
    wordsOf(
      record('EVENT#sms#cost'),
      record('EVENT#sms#sent'),
      record('EVENT#chat#sent', { d: { M: {} } }),
      record('EVENT#sms#failed', failed),
      record('', { sk: {} }),
    ),
  ).toEqual([
    '0c9a1b11 sms sent welcome -> ada',
    '0c9a1b11 chat sent welcome -> ada',
    '0c9a1b11 chat delivered welcome -> ada',
    '0c9a1b11 sms failed welcome -> ada 21610',
  ]);
});

it('a line tells what was decided for a notification', () => {
  const head = { state: { S: 'accepted' }, routes: { M: { EMAIL: { M: { r: { S: 'SEND' } } } } } };
  expect(wordsOf(record('HEAD', head))).toEqual(['0c9a1b11 accepted welcome -> ada EMAIL=SEND']);
});
