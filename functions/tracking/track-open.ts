import { signer } from '../../shared/database/entities/access/deployment-secret.ts';
import { logs } from '../../shared/database/entities/logs/logs.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { readOpenToken } from '../../shared/tokens/tracking-token.ts';
import { recordVisit, wrongToken } from './record-visit.ts';
import { trackOpenRoute } from './routes.ts';

/** One transparent pixel. */
const GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

export const handler = endpoint(trackOpenRoute, { signer, logs }, async ({ signer, logs, path, request }) => {
  const trackingId = await readOpenToken(signer, path.token);
  if (trackingId === undefined) throw wrongToken();
  const fields = {
    email_opened_at: isoOf(request.receivedAtMs),
    email_opened_user_agent: request.agent,
    email_opened_ip: request.ip,
  };
  await recordVisit(logs, request, { trackingId, stage: 'opened', fields });
  return GIF;
});
