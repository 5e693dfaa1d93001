import type { DynamoDBRecord } from 'aws-lambda';
import {
  type EventItem,
  type HeadItem,
  readStreamRecord,
} from '../../../shared/database/entities/logs/log-items.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { LOG_PREFIX } from '../../../shared/schemas/channel.ts';
import type { Stage } from '../../../shared/schemas/logs/stage.ts';
import { coloured, printable, type State } from '../../terminal.ts';

type Line = { atMs: number; trackingId: string; prefix: string; stage: string; rest: string; state: State };

/**
 * Returns a function that turns stream records into one readable line per event of the delivery log. A line with the date
 * precedes each line of another day.
 */
export function createLogLines(): (records: readonly DynamoDBRecord[]) => string[] {
  let day = '';
  return (records) =>
    records.flatMap(linesOf).flatMap((line) => {
      const [date = '', time = ''] = isoOf(line.atMs).split('T');
      const isNewDay = date !== day;
      day = date;
      return [...(isNewDay ? [coloured('quiet', date)] : []), textOf(line, time.slice(0, 12))];
    });
}

function textOf({ trackingId, prefix, stage, rest, state }: Line, time: string): string {
  return `${time}  ${printable(trackingId)}  ${prefix.padEnd(11)}  ${coloured(state, stage.padEnd(11))}  ${rest}`;
}

/** Items of other kinds are in the stream too: digests, usage. */
function linesOf(record: DynamoDBRecord): Line[] {
  const item = readStreamRecord(record);
  if (item?.kind === 'head') return headLines(item, record.eventName === 'INSERT');
  // A message's cost is summed, and shown with the stage that it came with.
  if (!item || item.stage === 'cost') return [];
  const { delivered } = item;
  return [
    eventLine(item, item.stage, item.fields),
    ...(delivered ? [eventLine(item, 'delivered', { ...item.fields, ...delivered })] : []),
  ];
}

/** Stages by the state that they mean; stages of inbound messages mean that something arrived. */
const STATES: Readonly<Partial<Record<Stage, State>>> = {
  digest: 'waiting',
  delivered: 'delivered',
  opened: 'opened',
  clicked: 'opened',
  failed: 'failed',
};

function eventLine(item: EventItem, stage: Stage, fields: Record<string, unknown>): Line {
  const prefix = LOG_PREFIX[item.channel];
  const code = fields[`${prefix}_${stage}_code`];
  const shown = typeof code === 'string' && code !== 'COMPLETED' ? code : undefined;
  const line = { atMs: item.atMs, trackingId: item.trackingId, prefix };
  // A call without an answer has ended, which the log calls delivered.
  if (stage === 'delivered' && shown !== undefined)
    return {
      ...line,
      stage: shown.toLowerCase().replaceAll('_', ' '),
      rest: aboutOf(item),
      state: 'failed',
    };
  const rest = [aboutOf(item), ...(shown === undefined ? [] : [printable(shown)])].join('  ');
  return { ...line, stage, rest, state: STATES[stage] ?? 'sent' };
}

/** A head is written when the notification is accepted, and again with each change of its schedule. */
function headLines(item: HeadItem, isNew: boolean): Line[] {
  const found = headStage(item, isNew);
  if (!found) return [];
  const rest = [aboutOf(item), found.rest].filter((part) => part !== '').join('  ');
  return [{ trackingId: item.trackingId, prefix: '', ...found, rest }];
}

function headStage(
  item: HeadItem,
  isNew: boolean,
): Pick<Line, 'atMs' | 'stage' | 'rest' | 'state'> | undefined {
  const { receivedAtMs, course } = item;
  const { failedCode, failedAtMs, scheduledForMs, scheduleUpdatedAtMs, scheduleDeletedAtMs } = course;
  if (failedCode !== undefined)
    return { atMs: failedAtMs ?? receivedAtMs, stage: 'rejected', rest: failedCode, state: 'failed' };
  if (item.state === 'cancelled')
    return { atMs: scheduleDeletedAtMs ?? receivedAtMs, stage: 'cancelled', rest: '', state: 'quiet' };
  if (item.state === 'scheduled') {
    const rest = scheduledForMs === undefined ? '' : `for ${isoOf(scheduledForMs)}`;
    if (isNew) return { atMs: receivedAtMs, stage: 'scheduled', rest, state: 'waiting' };
    if (scheduleUpdatedAtMs === undefined) return undefined;
    return { atMs: scheduleUpdatedAtMs, stage: 'rescheduled', rest, state: 'waiting' };
  }
  const stage = isNew ? 'accepted' : 'due';
  return { atMs: course.processedAtMs ?? receivedAtMs, stage, rest: routesOf(item), state: 'waiting' };
}

/** `welcome -> ada`; a rejected change or an inbound message may concern neither. */
function aboutOf({ notificationId, userId }: HeadItem | EventItem): string {
  const [type, user] = [printable(notificationId), printable(userId)];
  return type === '' && user === '' ? '' : `${type} -> ${user}`;
}

function routesOf({ routes, course }: HeadItem): string {
  const decided = routes.map(({ channel, routing }) => `${channel}=${routing}`);
  return [...(course.ignored ? [course.ignored] : []), ...decided].join(' ');
}
