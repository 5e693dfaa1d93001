import * as v from 'valibot';
import { environments } from '../../../shared/database/entities/accounts/environments.ts';
import { feed } from '../../../shared/database/entities/logs/feed.ts';
import type { Log } from '../../../shared/database/entities/logs/log-reads.ts';
import { findReadable } from '../../../shared/database/items/stored.ts';
import { FAILED_FEED, FAILED_SHARDS, indexTime } from '../../../shared/database/keys/indexes.ts';
import { trackingIdOfPk } from '../../../shared/database/keys/key.ts';
import type { Caller } from '../../../shared/http/access/caller.ts';
import { eventWorker } from '../../../shared/http/workers/event-worker.ts';
import { mapAtMost } from '../../../shared/runtime/async/map-at-most.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { newTrackingId } from '../../../shared/runtime/values/ids.ts';
import type { Channel } from '../../../shared/schemas/channel.ts';
import type { AcceptDependencies } from '../../sending/accept/accept.ts';
import { acceptDependencies } from '../../sending/accept/accept-dependencies.ts';
import { failedChannels, resend } from '../../sending/waiting/resend.ts';
import { ResendRequest, type ResentPage } from './responses.ts';

const PAGE = 200;
/** Bounds the rate of one invocation to a few hundred a second. */
const AT_ONCE = 25;

/** Sends again what failed in an account and a range of time, a page per invocation; each failed message once. */
export const handler = eventWorker(
  { name: 'resend-failed', failed: 'a page was not sent again' },
  { ...acceptDependencies, environments, feed },
  async (event: unknown, { clock, environments, feed, ...deps }): Promise<ResentPage> => {
    const { accountId, from, to, start, isDryRun, ...filter } = v.parse(ResendRequest, event);
    const feeds = (await environments.listAll(accountId)).map(({ environmentId }) => ({
      ...{ environmentId, kind: FAILED_FEED, shards: FAILED_SHARDS },
    }));
    const result: ResentPage = { isKnown: feeds.length > 0, examined: 0, resent: 0, before: 0, refused: {} };
    if (!result.isKnown) return result;
    const entries = await feed.listNewestFirst(feeds, { limit: PAGE, after: start ?? indexTime(to) });
    const within = entries.filter(({ position }) => position >= indexTime(from));
    const trackingIds = [...new Set(within.map(({ key }) => trackingIdOfPk(key.pk)))];
    const nowMs = clock.now();
    result.examined = trackingIds.length;
    await mapAtMost(AT_ONCE, trackingIds, async (trackingId) => {
      const log = await findReadable(() => deps.logs.find(trackingId, nowMs));
      const channels = log ? failedChannels(log, filter) : [];
      if (!log || channels.length === 0) return;
      const by = { ...operatorFor(accountId, nowMs), dryRun: isDryRun };
      for (const channel of channels) {
        const { isNew, reason } = await resendOne(deps, log, channel, by);
        if (reason !== undefined) result.refused[reason] = (result.refused[reason] ?? 0) + 1;
        else result.resent += 1;
        if (reason === undefined && !isNew) result.before += 1;
      }
    });
    const last = within.at(-1)?.position;
    return { ...result, ...defined({ next: within.length === PAGE ? last : undefined }) };
  },
);

async function resendOne(
  deps: AcceptDependencies,
  log: Log,
  channel: Channel,
  by: Parameters<typeof resend>[3],
): Promise<{ isNew: boolean; reason: string | undefined }> {
  try {
    const [{ isNew, messages }] = await resend(deps, log, [channel], by);
    return { isNew, reason: messages.find((message) => message.startsWith(`${channel} is not sent: `)) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { isNew: true, reason: error.code };
  }
}

/** The operator, for the account: the notification's own environment replaces this environment. */
function operatorFor(accountId: string, nowMs: number) {
  const caller: Caller = { kind: 'secret', accountId, environmentId: '', boundToEnvironment: false };
  const none = { ip: undefined, agent: undefined, headers: {}, rawBody: undefined, rawQuery: '' };
  return { caller, facts: { id: newTrackingId(nowMs), receivedAtMs: nowMs, ...none } };
}
