import { signer } from '../../shared/database/entities/access/deployment-secret.ts';
import { members } from '../../shared/database/entities/access/members.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { confirmationPage, getEmailChange } from './email-change.ts';
import { showConfirmEmailRoute } from './routes.ts';

export const handler = endpoint(
  showConfirmEmailRoute,
  { members, signer },
  async ({ members, signer, path, request }) => {
    const { email, isDone } = await getEmailChange(signer, members, path.token, request.receivedAtMs);
    return confirmationPage(email, isDone, request.headers['accept-language']);
  },
);
