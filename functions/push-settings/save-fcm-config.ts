import { parseFcmConfig } from '../../shared/channels/push/fcm-config.ts';
import { pushSettings } from '../../shared/database/entities/push-settings.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { saveFcmConfigRoute } from './routes.ts';

export const handler = endpoint(
  saveFcmConfigRoute,
  { pushSettings },
  async ({ pushSettings, caller, body }) => {
    const parsed = parseFcmConfig(body.fcmConfig);
    if (!parsed.ok) {
      throw new AppError('INVALID_REQUEST', {
        message: `body.fcmConfig cannot be used: ${parsed.problem}.`,
        fix: 'Send the whole text of the service-account JSON file of the Firebase project.',
      });
    }
    await pushSettings.saveFcm(caller.accountId, body.fcmConfig);
    return { fcmConfig: body.fcmConfig };
  },
);
