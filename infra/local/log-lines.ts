import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { COST_STAGE } from '../../shared/domain/event-cost.ts';
import type { LocalStreamEvent } from './stream/stream-reader.ts';

/** One readable line per event of the delivery log, as it happens; undefined for records that are not events. */
export function logLinesOf(event: Pick<LocalStreamEvent, 'Records'>): string[] {
  return event.Records.flatMap(linesOf);
}

function linesOf(record: DynamoDBRecord): string[] {
  const image = record.dynamodb?.NewImage;
  const sk = image?.sk?.S;
  if (!image || !sk || record.eventName === 'REMOVE') return [];
  const trackingId = (image.pk?.S ?? '').slice('LOG#'.length);
  const about = `${image.n?.S ?? ''} -> ${image.u?.S ?? ''}`;
  if (sk === 'HEAD')
    return [line(image, trackingId, '', image.state?.S ?? '', `${about}  ${routesOf(image)}`)];
  const [, prefix = '', stage = ''] = sk.split('#');
  // What a message cost is counted, and told with the stage that it came with.
  if (stage === COST_STAGE) return [];
  const code = image.f?.M?.[`${prefix}_failed_code`]?.S;
  const rest = code === undefined ? about : `${about}  ${code}`;
  const stages = image.d === undefined ? [stage] : [stage, 'delivered'];
  return stages.map((each) => line(image, trackingId, prefix, each, rest));
}

function line(
  image: Record<string, AttributeValue>,
  trackingId: string,
  prefix: string,
  stage: string,
  rest: string,
) {
  const time = new Date(Number(image.at?.N ?? 0)).toISOString().slice(11, 23);
  return `${time}  ${trackingId.slice(-8)}  ${prefix.padEnd(11)}  ${stage.padEnd(9)}  ${rest}`;
}

function routesOf(image: Record<string, AttributeValue>): string {
  const routes = Object.entries(image.routes?.M ?? {}).map(
    ([channel, decided]) => `${channel}=${decided.M?.r?.S}`,
  );
  return image.ignored?.S === undefined ? routes.join(' ') : `${image.ignored.S} ${routes.join(' ')}`;
}
