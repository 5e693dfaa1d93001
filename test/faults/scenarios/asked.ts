import { handler as createExport } from '../../../functions/users/create-export.ts';
import { handler as downloadExport } from '../../../functions/users/download-export.ts';
import { handler as getExport } from '../../../functions/users/get-export.ts';
import { handler as cancelWaiting } from '../../../functions/waiting/cancel-waiting.ts';
import { handler as listAllWaiting } from '../../../functions/waiting/list-all-waiting.ts';
import { handler as moveWaiting } from '../../../functions/waiting/move-waiting.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { call, httpEvent } from '../../support/app.ts';
import type { Scenario } from '../run.ts';
import { MINUTE_MS, type Story, toChannels } from '../story.ts';

const RETRY_SECONDS = 7200;

/** An email that its server postponed for two hours, and what lists it; undefined if a fault has delayed it. */
async function postponed(story: Story): Promise<string | undefined> {
  const { world } = story;
  const times: number[] = [];
  acceptedAtMs.set(world, times);
  world.script.deliver = () => {
    times.push(world.nowMs);
    const isFirst = times.length === 1;
    return isFirst
      ? { kind: 'retry', code: 'UNDETERMINED_BOUNCE', internal: 'later', afterSeconds: RETRY_SECONDS }
      : undefined;
  };
  await story.send(toChannels(['EMAIL']), { EMAIL: 'sent' });
  // Longer than a message that a fault left on its queue is invisible.
  await story.pass(45);
  const { json } = await story.request(listAllWaiting, { query: {} });
  return json.waiting[0]?.waitingId;
}

/** The times of a run's attempts, and of its move. */
const acceptedAtMs = new WeakMap<object, number[]>();
const moves = new WeakMap<object, { atMs: number; untilMs: number }>();

/** Scenarios of what an account asks for about what waits and what is stored, and of messages that wait for their turn. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'an email that is postponed, then moved',
    isTimed: true,
    isPrompt: true,
    hours: 5,
    async act(story) {
      const waitingId = await postponed(story);
      if (waitingId === undefined) return;
      const untilMs = story.world.nowMs + 3 * 60 * MINUTE_MS;
      const path = { waitingId };
      const { status } = await story.request(moveWaiting, { path, body: { until: isoOf(untilMs) } }, 'any');
      if (status === 200) moves.set(story.world, { atMs: story.world.nowMs, untilMs });
    },
    // A move that has a response is kept: nothing leaves at the earlier time.
    check({ world }) {
      const move = moves.get(world);
      const times = acceptedAtMs.get(world) ?? [];
      const isEarly = times.some((atMs) => move && atMs > move.atMs && atMs < move.untilMs);
      return isEarly ? ['sent before the time that it was moved to'] : [];
    },
  },
  {
    name: 'an email that is postponed, then cancelled',
    isTimed: true,
    isPrompt: true,
    hours: 5,
    async act(story) {
      const waitingId = await postponed(story);
      if (waitingId === undefined) return;
      const { status } = await story.request(cancelWaiting, { path: { waitingId } }, 'any');
      const ends =
        status === 200 ? ({ EMAIL: 'withheld' } as const) : ({ EMAIL: ['sent', 'withheld'] } as const);
      story.tracked = story.tracked.map((each) => ({ ...each, ends }));
    },
  },
  {
    name: 'an export of a user',
    isPrompt: true,
    async act(story) {
      await story.send(toChannels(['INAPP_WEB', 'SMS']), { INAPP_WEB: 'sent', SMS: 'sent' });
      await story.pass(60);
      await story.request(createExport, { path: { userId: 'ada' } });
    },
    async check({ key, tracked: [first] }) {
      const { json } = await call(getExport, { key, path: { userId: 'ada' } });
      if (json.state !== 'ready') return [`the export is ${json.state}`];
      const path = { token: String(json.url).split('/exports/')[1] ?? '' };
      const response = await downloadExport(httpEvent({ path }) as never);
      const text = response.isBase64Encoded
        ? Buffer.from(response.body, 'base64').toString('utf8')
        : response.body;
      const lines = text.split('\n').filter((line) => line !== '');
      const logs = lines.filter(
        (line) => line.includes('"kind":"notification"') && line.includes(String(first?.trackingId)),
      );
      const repeated = lines.length - new Set(lines).size;
      return [
        ...(logs.length === 1 ? [] : [`the export has the log ${logs.length} times`]),
        ...(repeated === 0 ? [] : [`the export repeats ${repeated} lines`]),
      ];
    },
  },
  {
    name: 'messages that wait for their turn',
    hours: 2,
    async act(story) {
      const { world } = story;
      world.script.crowd = 1000;
      for (let count = 0; count < 4; count += 1) await story.send(toChannels(['EMAIL']), { EMAIL: 'sent' });
      await story.pass(2);
      world.script.crowd = 0;
    },
  },
];
