import { signer } from '../../shared/database/entities/deployment-secret.ts';
import { members } from '../../shared/database/entities/members.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { confirmationPage, getEmailChange } from './email-change.ts';
import { showConfirmEmailRoute } from './routes.ts';

export const handler = endpoint(
  showConfirmEmailRoute,
  { members, signer },
  async ({ members, signer, path, request }) => {
    const { isDone } = await getEmailChange(signer, members, path.token, request.receivedAtMs);
    return isDone
      ? confirmationPage('Your new address is confirmed.')
      : confirmationPage('Is this the address you want to sign in with from now on?', 'Confirm');
  },
);
