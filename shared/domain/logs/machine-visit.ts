import type { LogFields } from '../../schemas/logs/log-record.ts';
import type { Stage } from '../../schemas/logs/stage.ts';

/** Programs that follow links and load images without a person, and Apple's prefetch, whose user agent is only this text. */
const AGENT =
  /^(?:Mozilla\/5\.0|node|undici|ruby)$|(?<!cu)bot\b|externalhit|whatsapp|postman|scrapy|crawl|spider|scan|preview|prefetch|headless|phantom|barracuda|proofpoint|mimecast|ironport|symantec|messagelabs|trendmicro|sophos|fireeye|forcepoint|zscaler|safelinks|urldefense|virustotal|python|curl\/|wget|libwww|java\/|go-http-client|okhttp|axios|node-fetch|httpclient/i;
/** Networks of Apple, and networks of Microsoft that follow links in mail. */
const NETWORK = /^(?:::ffff:)?(?:17\.|40\.94\.|40\.107\.|104\.47\.|52\.100\.|2620:149:|2a01:b747:)/i;

/** A person needs longer to read an email before they follow a link of it. */
const READING_MS = 2000;
/** Nobody follows two links of an email within this time. */
const BETWEEN_LINKS_MS = 1000;

/** An event of the same email. */
type Earlier = { stage: Stage; atMs: number; fields?: LogFields };

/** True if somebody follows another link at nearly the same time. */
export const isOneOfMany = (click: Earlier, events: readonly Earlier[]): boolean =>
  events.some(
    ({ stage, atMs, fields }) =>
      stage.startsWith('clicked') &&
      Math.abs(click.atMs - atMs) <= BETWEEN_LINKS_MS &&
      fields?.email_clicked_link !== click.fields?.email_clicked_link,
  );

const isHasty = (click: Earlier, events: readonly Earlier[]): boolean =>
  events.some(({ stage, atMs }) => {
    const afterMs = click.atMs - atMs;
    return (stage === 'sent' || stage === 'delivered') && afterMs >= 0 && afterMs < READING_MS;
  });

const VISITS: readonly Stage[] = ['opened', 'clicked'];

/** The event of a visit. A machine's visit is a different event, which ends no step. `earlier`: of the same email. */
export function visitOf<E extends Earlier & { fields: LogFields }>(event: E, earlier: readonly Earlier[]): E {
  const { stage, fields } = event;
  if (!VISITS.includes(stage)) return event;
  const agent = fields.email_opened_user_agent ?? fields.email_clicked_user_agent ?? '';
  const ip = fields.email_opened_ip ?? fields.email_clicked_ip ?? '';
  const isMachine =
    AGENT.test(agent) ||
    NETWORK.test(ip) ||
    (stage === 'clicked' && (isOneOfMany(event, earlier) || isHasty(event, earlier)));
  if (!isMachine) return event;
  return { ...event, stage: `${stage}_machine`, fields: { ...fields, [`email_${stage}_machine`]: true } };
}
