import * as v from 'valibot';
import { accounts } from '../../../shared/database/entities/accounts/accounts.ts';
import { environments } from '../../../shared/database/entities/accounts/environments.ts';
import { feed } from '../../../shared/database/entities/logs/feed.ts';
import { OUTBOUND_FEED } from '../../../shared/database/entities/logs/log-head-items.ts';
import { logs } from '../../../shared/database/entities/logs/logs.ts';
import { findReadable } from '../../../shared/database/items/stored.ts';
import { indexTime } from '../../../shared/database/keys/indexes.ts';
import { trackingIdOfPk } from '../../../shared/database/keys/key.ts';
import { buildLogRecord } from '../../../shared/domain/logs/log-record.ts';
import { eventWorker } from '../../../shared/http/workers/event-worker.ts';
import { mapAtMost } from '../../../shared/runtime/async/map-at-most.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { CHANNELS, type Channel, LOG_PREFIX } from '../../../shared/schemas/channel.ts';
import type { LogRecord } from '../../../shared/schemas/logs/log-record.ts';
import { type ExplainedPage, RangeRequest } from './responses.ts';

const PAGE = 500;
const AT_ONCE = 25;

/** Counts what became of an account's notifications of a range of time, by the minute of their acceptance; a page per invocation. */
export const handler = eventWorker(
  { name: 'explain', failed: 'a page was not counted' },
  { accounts, environments, feed, logs },
  async (event: unknown, { clock, accounts, environments, feed, logs }): Promise<ExplainedPage> => {
    const { accountId, from, to, start } = v.parse(RangeRequest, event);
    const account = await accounts.find(accountId);
    if (!account) return { isKnown: false, counts: {} };
    const feeds = (await environments.listAll(accountId)).map(({ environmentId }) => ({
      ...{ environmentId, kind: OUTBOUND_FEED, shards: account.feedShards },
    }));
    const entries = await feed.listNewestFirst(feeds, { limit: PAGE, after: start ?? indexTime(to) });
    const within = entries.filter(({ position }) => position >= indexTime(from));
    const counts: ExplainedPage['counts'] = {};
    await mapAtMost(AT_ONCE, within, async ({ key }) => {
      const log = await findReadable(() => logs.find(trackingIdOfPk(key.pk), clock.now()));
      if (!log) return;
      const minute = isoOf(log.head.receivedAtMs).slice(0, 16);
      counts[minute] ??= {};
      for (const outcome of outcomesOf(buildLogRecord(log.head, log.events)))
        counts[minute][outcome] = (counts[minute][outcome] ?? 0) + 1;
    });
    const next = within.length === PAGE ? within.at(-1)?.position : undefined;
    return { isKnown: true, counts, ...defined({ next }) };
  },
);

/** `accepted`, and for each channel such as `EMAIL sent`, `EMAIL failed PROVIDER_ERROR`, `SMS IGNORE NO_CONSENT`. */
function outcomesOf(record: LogRecord): string[] {
  const whole = [record.ignored, record.failed_code].filter((each) => each !== undefined);
  return ['accepted', ...whole, ...CHANNELS.flatMap((channel) => outcomeOf(record, channel))];
}

const STAGES = ['opened', 'delivered', 'sent'] as const;

function outcomeOf(record: LogRecord, channel: Channel): string[] {
  const fields: Readonly<Record<string, unknown>> = record;
  const field = (name: string) => fields[`${LOG_PREFIX[channel]}_${name}`];
  const routing = field('routing');
  if (routing === undefined || routing === 'OFF') return [];
  const name = (...parts: unknown[]) => [[channel, ...parts].filter((part) => part !== undefined).join(' ')];
  if (routing === 'IGNORE') return name(routing, field('routing_reason') ?? field('failed_code'));
  if (field('failed_at') !== undefined) return name('failed', field('failed_code'));
  if (field('skipped_reason') !== undefined) return name('skipped', field('skipped_reason'));
  const reached = STAGES.find((stage) => field(`${stage}_at`) !== undefined);
  if (reached) return name(reached);
  return routing === 'SEND' ? name('waits') : name(routing, field('routing_reason'));
}
