import { describe, expect, it } from 'vitest';
import { anonymousFields } from '../../../../shared/domain/logs/erased-fields.ts';
import { anonymousStatus } from '../../../../shared/domain/logs/erased-log.ts';
import {
  docsOfCode,
  missingText,
  ownReasonOf,
  REASON_FIXES,
  sentenceOf,
} from '../../../../shared/domain/logs/explanations.ts';
import type { ChannelRouting } from '../../../../shared/domain/logs/log.ts';
import { keptFromMs, logExpiry, waitDaysOf } from '../../../../shared/domain/logs/log-expiry.ts';
import { visitOf } from '../../../../shared/domain/logs/machine-visit.ts';
import type { Stage } from '../../../../shared/schemas/logs/stage.ts';

const DAY_MS = 86_400_000;
const TIME = '2026-11-21T08:30:00.000Z';

describe('of an erased log', () => {
  it.each<[object, boolean]>([
    [{ email_routing: 'SEND' }, true],
    [{ email_routing: 'to ada@example.com' }, false],
    [{ email_sent_after: 5 }, true],
    [{ email_sent_after: '5' }, false],
    [{ test: true }, true],
    [{ email_sent_at: TIME }, true],
    [{ email_sent_at: `${TIME} by Ada` }, false],
    [{ email_sent_at: `Ada ${TIME}` }, false],
    [{ email_sent_at: 5 }, false],
    [{ email_held_until: TIME }, true],
    [{ user_id: TIME }, false],
    [{ unknown_at: TIME }, false],
    [{ toString: 'SEND' }, false],
  ])('%j is kept: %s', (fields, isKept) => {
    expect(anonymousFields(fields)).toEqual(isKept ? fields : {});
  });

  it.each<[string, unknown, boolean]>([
    ['bounceType', 'Permanent', true],
    ['bounceSubType', 'OnAccountSuppressionList', true],
    ['bounceSubType', 'General of Ada', false],
    ['complaintFeedbackType', 'auth-failure', true],
    ['complaintSubType', 'by Ada: abuse', false],
    ['status', '5.1.1', true],
    ['status', '5.1.1 ada@example.com', false],
    ['status', 'a5.1.1', false],
    ['status', '5.1000.1', false],
    ['timestamp', '2026-11-21T08:30:00.123456Z', true],
    ['timestamp', '2026-11-21T08:30:00Z', true],
    ['timestamp', 'Ada 2026-11-21T08:30:00Z', false],
    ['timestamp', '2026-11-21T08:30:00Z Ada', false],
    ['diagnosticCode', 'Permanent', false],
    ['toString', 'Permanent', false],
  ])('the %s "%s" of a suppression is kept: %s', (name, value, isKept) => {
    const status = { reason: 'Bounce' as const, details: { [name]: value } };
    expect(anonymousStatus(status)).toEqual(isKept ? status : { ...status, details: {} });
  });
});

describe('a log is kept', () => {
  const at = (days: number) => days * DAY_MS;

  it.each<[Partial<ChannelRouting>, number]>([
    [{}, 0],
    [{ heldUntilMs: at(3) }, 2],
    [{ dueAtMs: at(4) }, 3],
    [{ heldUntilMs: at(0.5) }, 0],
    [{ mode: 'weekly' }, 8],
    [{ mode: 'monthly', dueAtMs: at(2) }, 33],
    [{ mode: 'weekly', routing: 'IGNORE' }, 0],
  ])('for a channel of %j %d days longer', (decided, days) => {
    const routing = { EMAIL: { routing: 'SEND' as const }, SMS: { routing: 'SEND' as const, ...decided } };
    expect(waitDaysOf(routing, at(1))).toBe(days);
    expect(keptFromMs({ receivedAtMs: at(1), routing })).toBe(at(1 + days));
  });

  it.each([
    [{ processedAtMs: at(2) }, 2],
    [{ scheduledForMs: at(3), processedAtMs: at(2) }, 3],
    [{ waitedUntilMs: at(4), scheduledForMs: at(3) }, 4],
    [{ processedAtMs: at(0) }, 1],
  ])('from the last of its times on: %j', (times, day) => {
    expect(keptFromMs({ receivedAtMs: at(1), routing: {}, ...times })).toBe(at(day));
    expect(waitDaysOf({}, 0)).toBe(0);
  });

  it('for the days of the retention, in whole seconds', () => {
    expect(logExpiry(30, 5000)).toBe(30 * 86_400 + 5);
    expect(logExpiry(1 / 86_400 / 2, 0)).toBe(1);
  });
});

describe('a visit', () => {
  const LINK = { email_clicked_link: 'https://example.com/1' };
  const visit = (stage: Stage, fields: object, earlier: object[] = []) =>
    visitOf({ stage, atMs: 10_000, fields: { ...LINK, ...fields } }, earlier as never);
  const click = (atMs: number, link: string) => ({
    stage: 'clicked',
    atMs,
    fields: { email_clicked_link: link },
  });

  it.each<[Stage, object, object[]]>([
    ['opened', { email_opened_user_agent: 'Mozilla/5.0' }, []],
    ['opened', { email_opened_user_agent: 'GoogleImageProxy curl/8' }, []],
    ['clicked', { email_clicked_user_agent: 'node' }, []],
    ['clicked', { email_clicked_user_agent: 'Bingbot 2' }, []],
    ['opened', { email_opened_ip: '17.1.2.3' }, []],
    ['clicked', { email_clicked_ip: '::ffff:40.94.1.2' }, []],
    ['clicked', {}, [click(9000, 'https://example.com/2')]],
    ['clicked', {}, [{ ...click(11_000, 'https://example.com/2'), stage: 'clicked_machine' }]],
    ['clicked', {}, [{ stage: 'sent', atMs: 8001 }]],
    ['clicked', {}, [{ stage: 'delivered', atMs: 10_000 }]],
  ])('%s by %j after %j is a machine’s', (stage, fields, earlier) => {
    expect(visit(stage, fields, earlier)).toEqual({
      ...{ stage: `${stage}_machine`, atMs: 10_000 },
      fields: { ...LINK, ...fields, [`email_${stage}_machine`]: true },
    });
  });

  it.each<[Stage, object, object[]]>([
    [
      'opened',
      { email_opened_user_agent: 'Mozilla/5.0 (Windows NT 10.0)', email_opened_ip: '18.17.1.1' },
      [],
    ],
    ['clicked', { email_clicked_user_agent: 'Cubot Phone', email_clicked_ip: '203.0.113.7' }, []],
    ['opened', {}, [click(9000, 'https://example.com/2'), { stage: 'sent', atMs: 9000 }]],
    ['clicked', {}, [click(8999, 'https://example.com/2'), click(11_001, 'https://example.com/2')]],
    ['clicked', {}, [click(9000, 'https://example.com/1'), { stage: 'opened', atMs: 9500 }]],
    [
      'clicked',
      {},
      [
        { stage: 'sent', atMs: 8000 },
        { stage: 'delivered', atMs: 10_001 },
      ],
    ],
    ['failed', { email_clicked_user_agent: 'node' }, []],
  ])('%s by %j after %j is a person’s', (stage, fields, earlier) => {
    expect(visit(stage, fields, earlier)).toEqual({ stage, atMs: 10_000, fields: { ...LINK, ...fields } });
  });
});

describe('a reason in a log', () => {
  it.each([
    ['the message has  4,097\n characters ', 'The message has 4,097 characters.'],
    ['v2.1 is gone', 'V2.1 is gone.'],
    ['gone?', 'Gone?'],
    ['', '.'],
  ])('"%s" is the sentence "%s"', (internal, sentence) => {
    expect(sentenceOf(internal)).toBe(sentence);
  });

  it('is explained if the service gave it', () => {
    const fix = REASON_FIXES['the message has'];
    expect(ownReasonOf('the message has 5 parts')).toEqual({ meaning: 'The message has 5 parts.', fix });
    expect(['and the message has', '', undefined].map(ownReasonOf)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(docsOfCode('EMAIL', 'SUPPRESSED_BOUNCE')).toContain('suppressed_bounce');
    expect(docsOfCode('SMS', 'NO_CONSENT')).toContain('no_consent');
    expect([docsOfCode('SMS', 'SUPPRESSED_BOUNCE'), docsOfCode('SMS', 'toString')]).toEqual([
      undefined,
      undefined,
    ]);
    expect(missingText(1, 'name')).toBe('A variable of the content has no value: name.');
    expect(missingText(2, 'a, b')).toBe('2 variables of the content have no value: a, b.');
  });
});
