import { describe, expect, it } from 'vitest';
import { handler as updateType } from '../../../functions/types/update-type.ts';
import { call } from '../../support/app.ts';
import { stepsAccount, useSteps } from './steps-setup.ts';

useSteps();

describe('invalid steps', () => {
  const twice = [{ channels: ['EMAIL'] }, { channels: ['EMAIL'], after: 'PT1M' }];
  it.each([
    [
      'more than five',
      Array.from({ length: 6 }, (_, index) => ({
        channels: ['EMAIL', 'SMS', 'CALL', 'PUSH', 'CHAT', 'WEB_PUSH'].slice(index, index + 1),
        ...(index ? { after: 'PT1M' } : {}),
      })),
    ],
    ['a channel twice', twice],
    ['a step without channels', [{ channels: [] }]],
    ['a first step that waits', [{ channels: ['EMAIL'], after: 'PT1M' }]],
    ['a duration in months', [{ channels: ['EMAIL'] }, { channels: ['SMS'], after: 'P1M' }]],
    ['a duration over 30 days', [{ channels: ['EMAIL'] }, { channels: ['SMS'], after: 'P31D' }]],
    ['an empty duration', [{ channels: ['EMAIL'] }, { channels: ['SMS'], after: 'PT' }]],
    ['an unknown condition', [{ channels: ['EMAIL'] }, { channels: ['SMS'], after: 'PT1M', when: 'never' }]],
  ])('return %s', async (_, steps) => {
    const account = await stepsAccount(undefined);
    const { status, json } = await account.request({ options: { steps } });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.message).toContain('steps');
    const path = { notificationId: 'alert' };
    expect((await call(updateType, { key: account.key, path, body: { steps } })).status).toBe(400);
  });
});
