import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { LOG_PK_PREFIX } from '../../shared/database/keys.ts';
import { COST_STAGE } from '../../shared/domain/event-cost.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { coloured, printable, type State } from '../terminal.ts';

type Image = Record<string, AttributeValue>;
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
function linesOf({ eventName, dynamodb }: DynamoDBRecord): Line[] {
  const image = dynamodb?.NewImage;
  const [pk, sk] = [image?.pk?.S ?? '', image?.sk?.S ?? ''];
  if (!image || !pk.startsWith(LOG_PK_PREFIX) || eventName === 'REMOVE') return [];
  const trackingId = pk.slice(LOG_PK_PREFIX.length);
  if (sk === 'HEAD') return headLines(image, trackingId, eventName === 'INSERT');
  const [kind, prefix = '', stage = ''] = sk.split('#');
  // A message's cost is counted, and shown with the stage that it came with.
  if (kind !== 'EVENT' || stage === COST_STAGE) return [];
  return [stage, ...(image.d === undefined ? [] : ['delivered'])].map((each) =>
    eventLine(image, trackingId, prefix, each),
  );
}

/** Stages by the state that they mean; those of inbound messages are something that arrived. */
const STATES: Readonly<Record<string, State>> = {
  digest: 'waiting',
  delivered: 'delivered',
  opened: 'opened',
  clicked: 'opened',
  failed: 'failed',
};

function eventLine(image: Image, trackingId: string, prefix: string, stage: string): Line {
  const fields = { ...image.f?.M, ...(stage === 'delivered' ? image.d?.M : {}) };
  const code = fields[`${prefix}_${stage}_code`]?.S;
  const line = { atMs: atMsOf(image), trackingId, prefix };
  const rest = (more: string | undefined) => [aboutOf(image), ...(more ? [more] : [])].join('  ');
  // A call that reached nobody has ended, which the log calls delivered.
  if (stage === 'delivered' && code !== undefined && code !== 'COMPLETED')
    return {
      ...line,
      stage: code.toLowerCase().replaceAll('_', ' '),
      rest: rest(undefined),
      state: 'failed',
    };
  const shown = code === 'COMPLETED' ? undefined : code;
  return { ...line, stage, rest: rest(shown && printable(shown)), state: STATES[stage] ?? 'sent' };
}

/** A head is written when the notification is accepted, and again with each change of its schedule. */
function headLines(image: Image, trackingId: string, isNew: boolean): Line[] {
  const found = headStage(image, isNew);
  if (!found) return [];
  const line = { trackingId, prefix: '', ...found };
  return [{ ...line, rest: [aboutOf(image), found.rest].filter((part) => part !== '').join('  ') }];
}

function headStage(
  image: Image,
  isNew: boolean,
): Pick<Line, 'atMs' | 'stage' | 'rest' | 'state'> | undefined {
  const msOf = (name: string) => (image[name]?.N === undefined ? undefined : Number(image[name]?.N));
  const [receivedAtMs, code] = [atMsOf(image), image.failedCode?.S];
  const dueText = (name: string) => {
    const ms = msOf(name);
    return ms === undefined ? '' : `for ${isoOf(ms)}`;
  };
  if (code !== undefined)
    return { atMs: msOf('failedAt') ?? receivedAtMs, stage: 'rejected', rest: code, state: 'failed' };
  const [movedAtMs, deletedAtMs, doneAtMs] = [msOf('moved'), msOf('deleted'), msOf('done')];
  if (image.state?.S === 'cancelled')
    return { atMs: deletedAtMs ?? receivedAtMs, stage: 'cancelled', rest: '', state: 'quiet' };
  if (image.state?.S === 'scheduled') {
    if (isNew) return { atMs: receivedAtMs, stage: 'scheduled', rest: dueText('due'), state: 'waiting' };
    if (movedAtMs === undefined) return undefined;
    return { atMs: movedAtMs, stage: 'rescheduled', rest: dueText('due'), state: 'waiting' };
  }
  const stage = isNew ? 'accepted' : 'due';
  return { atMs: doneAtMs ?? receivedAtMs, stage, rest: routesOf(image), state: 'waiting' };
}

const atMsOf = (image: Image) => Number(image.at?.N ?? 0);

/** `welcome -> ada`; a rejected change or an inbound message may concern neither. */
function aboutOf(image: Image): string {
  const [type = '', user = ''] = [image.n?.S, image.u?.S].map((text) => printable(text ?? ''));
  return type === '' && user === '' ? '' : `${type} -> ${user}`;
}

function routesOf(image: Image): string {
  const routes = Object.entries(image.routes?.M ?? {}).map(
    ([channel, decided]) => `${channel}=${decided.M?.r?.S}`,
  );
  return [image.ignored?.S, ...routes].filter(Boolean).join(' ');
}
