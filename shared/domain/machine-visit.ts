import type { LogFields } from '../schemas/log-record.ts';
import type { Stage } from '../schemas/stage.ts';

/** Programs that follow links and load images without a person, and Apple's prefetch, which names nothing but this. */
const AGENT =
  /^Mozilla\/5\.0$|bot\b|crawl|spider|scan|preview|prefetch|headless|phantom|barracuda|proofpoint|mimecast|ironport|symantec|messagelabs|trendmicro|sophos|fireeye|forcepoint|zscaler|safelinks|urldefense|virustotal|python|curl\/|wget|libwww|java\/|go-http-client|okhttp|axios|node-fetch|httpclient/i;
/** Networks of Apple, and those from which Microsoft follows links in mail. */
const NETWORK = /^(?:17\.|40\.94\.|40\.107\.|104\.47\.|52\.100\.|2620:149:|2a01:b747:)/i;

const VISITS: readonly Stage[] = ['opened', 'clicked'];

/** The event of a visit, which is another one where no person made it: it ends no step. */
export function visitOf<E extends { stage: Stage; fields: LogFields }>(event: E): E {
  const { stage, fields } = event;
  if (!VISITS.includes(stage)) return event;
  const agent = fields.email_opened_user_agent ?? fields.email_clicked_user_agent ?? '';
  const ip = fields.email_opened_ip ?? fields.email_clicked_ip ?? '';
  if (!AGENT.test(agent) && !NETWORK.test(ip)) return event;
  return { ...event, stage: `${stage}_machine`, fields: { ...fields, [`email_${stage}_machine`]: true } };
}
