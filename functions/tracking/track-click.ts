import { createHash } from 'node:crypto';
import { signer } from '../../shared/database/entities/access/deployment-secret.ts';
import { logs } from '../../shared/database/entities/logs/logs.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { readClickToken } from '../../shared/tokens/tracking-token.ts';
import { recordVisit, wrongToken } from './record-visit.ts';
import { trackClickRoute } from './routes.ts';

export const handler = endpoint(
  trackClickRoute,
  { signer, logs },
  async ({ signer, logs, path, request }) => {
    const tracked = await readClickToken(signer, path.token);
    if (!tracked) throw wrongToken();
    const { trackingId, link, tags } = tracked;
    const linkTags = Object.keys(tags).length > 0 ? JSON.stringify(tags) : '';
    // Each link is recorded once, so the log does not grow with repeated requests.
    const seq = createHash('sha256').update(`${link}\n${linkTags}`).digest('base64url');
    const fields = {
      email_clicked_at: isoOf(request.receivedAtMs),
      email_clicked_user_agent: request.agent,
      email_clicked_ip: request.ip,
      email_clicked_link: link,
      email_clicked_link_tags: linkTags,
    };
    await recordVisit(logs, request, { trackingId, stage: 'clicked', seq, fields });
    // As a browser parses it, because a header must be ASCII.
    return new URL(link).href;
  },
);
