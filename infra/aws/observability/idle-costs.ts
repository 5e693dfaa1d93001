/** A resource of a template, as far as it costs something while idle. */
export type TemplateResource = {
  id: string;
  Type: string;
  Properties?: {
    Enabled?: boolean;
    EventSourceArn?: unknown;
    ScheduleExpression?: string;
    Metrics?: { MetricStat?: unknown }[];
    FifoQueue?: boolean;
    ProtocolType?: string;
  };
};
export type IdleCost = { item: string; dollars: number };

/** Lambda keeps five long polls of 20 seconds open per queue. */
const POLLS_PER_MONTH = 5 * 3 * 60 * 24 * 30;
const PRICE_PER_POLL = { standard: 0.4 / 1_000_000, fifo: 0.5 / 1_000_000 };
const FREE_POLLS = 1_000_000;
const KEY = 1;
const DASHBOARD = 3;
const ALARM_METRIC = 0.1;
const FREE_ALARM_METRICS = 10;
/** Sweep and domain polling: reads, writes and invocations of their rules (docs/scale.md). */
const TICKS = 0.13;

/** The idle bill of a deployment, from its templates. Storage, logs and sending are extra. */
export function idleCosts(resources: readonly TemplateResource[]): IdleCost[] {
  const ofType = (type: string) => resources.filter(({ Type }) => Type === type);
  const queues = ofType('AWS::Lambda::EventSourceMapping').filter(({ Properties: properties = {} }) => {
    return properties.Enabled !== false && queueIdOf(properties.EventSourceArn) !== '';
  });
  const fifoIds = new Set(
    ofType('AWS::SQS::Queue').flatMap(({ id, Properties }) => (Properties?.FifoQueue ? [id] : [])),
  );
  const prices = queues.map(({ Properties }) =>
    fifoIds.has(queueIdOf(Properties?.EventSourceArn)) ? PRICE_PER_POLL.fifo : PRICE_PER_POLL.standard,
  );
  const polled = POLLS_PER_MONTH * prices.reduce((sum, price) => sum + price, 0);
  const free = Math.min(polled, FREE_POLLS * PRICE_PER_POLL.standard);
  const metrics = ofType('AWS::CloudWatch::Alarm').reduce(
    (sum, { Properties }) =>
      sum + Math.max(1, Properties?.Metrics?.filter(({ MetricStat }) => MetricStat).length ?? 1),
    0,
  );
  const ticks = ofType('AWS::Events::Rule').some(
    ({ Properties: properties }) => properties?.ScheduleExpression,
  );
  const rows: IdleCost[] = [
    { item: 'KMS key', dollars: KEY * ofType('AWS::KMS::Key').length },
    { item: `${queues.length} queues polled by Lambda, after the free tier`, dollars: polled - free },
    { item: 'schedules', dollars: ticks ? TICKS : 0 },
    {
      item: `${metrics} metrics of alarms, after the free tier`,
      dollars: ALARM_METRIC * Math.max(0, metrics - FREE_ALARM_METRICS),
    },
    { item: 'dashboard', dollars: DASHBOARD * ofType('AWS::CloudWatch::Dashboard').length },
  ];
  return rows.filter(({ dollars }) => dollars > 0);
}

/** Logical ID of the queue that a mapping of the same template reads; empty for a stream, which is imported. */
function queueIdOf(arn: unknown): string {
  const reference = typeof arn === 'object' && arn !== null && 'Fn::GetAtt' in arn ? arn['Fn::GetAtt'] : [];
  return Array.isArray(reference) ? String(reference[0] ?? '') : '';
}

const MINUTES_PER_MONTH = 60 * 24 * 30;
const SOCKETS = 10_000;
const PRICE_PER_CONNECTION_MINUTE = 0.25 / 1_000_000;
const PRICE_PER_SOCKET_MESSAGE = 1 / 1_000_000;
/** Of the client (client/src/inbox/live.ts). */
const PING_MINUTES = 9;
const PRICE_PER_EMAIL_GB = 0.12;

/** What use costs besides the messages themselves (docs/scale.md). */
export function costsOfUse(resources: readonly TemplateResource[]): IdleCost[] {
  const has = (type: string, isWanted = (_: TemplateResource) => true) =>
    resources.some((each) => each.Type === type && isWanted(each));
  const minutes = SOCKETS * MINUTES_PER_MONTH;
  const perSocket = PRICE_PER_CONNECTION_MINUTE + PRICE_PER_SOCKET_MESSAGE / PING_MINUTES;
  return [
    ...(has('AWS::ApiGatewayV2::Api', ({ Properties }) => Properties?.ProtocolType === 'WEBSOCKET')
      ? [{ item: '10,000 WebSockets open around the clock, and their pings', dollars: minutes * perSocket }]
      : []),
    ...(has('AWS::SES::ConfigurationSet')
      ? [{ item: 'each GB of email that SES sends, attachments included', dollars: PRICE_PER_EMAIL_GB }]
      : []),
  ];
}
