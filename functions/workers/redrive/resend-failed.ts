import * as v from 'valibot';
import { environments } from '../../../shared/database/entities/environments.ts';
import { feed } from '../../../shared/database/entities/feed.ts';
import { FAILED_FEED, FAILED_SHARDS, indexTime } from '../../../shared/database/keys/indexes.ts';
import { trackingIdOfPk } from '../../../shared/database/keys/key.ts';
import type { Caller } from '../../../shared/http/caller.ts';
import { eventWorker } from '../../../shared/http/event-worker.ts';
import { defined } from '../../../shared/runtime/defined.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { newTrackingId } from '../../../shared/runtime/ids.ts';
import { mapAtMost } from '../../../shared/runtime/map-at-most.ts';
import { Channel } from '../../../shared/schemas/channel.ts';
import { acceptDependencies } from '../../sending/accept-dependencies.ts';
import { failedChannels, resend } from '../../sending/resend.ts';
import type { ResentPage } from './answers.ts';

const PAGE = 200;
/** Bounds the rate of one invocation to a few hundred a second. */
const AT_ONCE = 25;
const Time = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.transform((text) => Date.parse(text)),
);
const Request = v.object({
  accountId: v.string(),
  /** Failed from then … and before this. */
  from: Time,
  to: Time,
  channel: v.optional(Channel),
  code: v.optional(v.string()),
  isDryRun: v.optional(v.boolean(), false),
  start: v.optional(v.string()),
});

/** Sends again what failed in an account and a range of time, a page per invocation; each failed message once. */
export const handler = eventWorker(
  { name: 'resend-failed', failed: 'a page was not sent again' },
  { ...acceptDependencies, environments, feed },
  async (event: unknown, { clock, environments, feed, ...deps }): Promise<ResentPage> => {
    const { accountId, from, to, start, isDryRun, ...filter } = v.parse(Request, event);
    const feeds = (await environments.listAll(accountId)).map(({ environmentId }) => ({
      ...{ environmentId, kind: FAILED_FEED, shards: FAILED_SHARDS },
    }));
    if (feeds.length === 0) return { examined: 0, resent: 0, refused: {} };
    const entries = await feed.listNewestFirst(feeds, { limit: PAGE, after: start ?? indexTime(to) });
    const within = entries.filter(({ position }) => position >= indexTime(from));
    const trackingIds = [...new Set(within.map(({ key }) => trackingIdOfPk(key.pk)))];
    const nowMs = clock.now();
    const result: ResentPage = { examined: trackingIds.length, resent: 0, refused: {} };
    await mapAtMost(AT_ONCE, trackingIds, async (trackingId) => {
      const log = await deps.logs.find(trackingId, nowMs);
      const channels = log ? failedChannels(log, filter) : [];
      try {
        if (log && !isDryRun) await resend(deps, log, channels, by(accountId, nowMs));
        result.resent += channels.length;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        result.refused[error.code] = (result.refused[error.code] ?? 0) + channels.length;
      }
    });
    const last = within.at(-1)?.position;
    return { ...result, ...defined({ next: within.length === PAGE ? last : undefined }) };
  },
);

/** The operator, for the account: the notification's own environment replaces this one. */
function by(accountId: string, nowMs: number) {
  const caller: Caller = { kind: 'secret', accountId, environmentId: '', boundToEnvironment: false };
  const none = { ip: undefined, agent: undefined, headers: {}, rawBody: undefined, rawQuery: '' };
  return { caller, facts: { id: newTrackingId(nowMs), receivedAtMs: nowMs, ...none } };
}
