import { parseApnConfig } from '../../shared/channels/push/apns-config.ts';
import { pushSettings } from '../../shared/database/entities/push-settings.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { saveApnConfigRoute } from './routes.ts';

export const handler = endpoint(
  saveApnConfigRoute,
  { pushSettings },
  async ({ pushSettings, caller, body }) => {
    const parsed = parseApnConfig(body);
    if (!parsed.ok) {
      throw new AppError('INVALID_REQUEST', {
        message: `The body cannot be used: ${parsed.problem}.`,
        fix: 'Send the text of the .p8 file as Key, its key ID, the team ID and the bundle ID of the app as Topic.',
      });
    }
    await pushSettings.saveApn(caller.accountId, body);
    return body;
  },
);
