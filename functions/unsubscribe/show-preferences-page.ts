import { accounts } from '../../shared/database/entities/accounts.ts';
import { signer } from '../../shared/database/entities/deployment-secret.ts';
import { erasureMarks } from '../../shared/database/entities/erasure-marks.ts';
import { logs } from '../../shared/database/entities/logs.ts';
import { notificationTypes } from '../../shared/database/entities/notification-types.ts';
import { preferenceStore } from '../../shared/database/entities/preferences.ts';
import { users } from '../../shared/database/entities/users.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { choicesOf, preferencesPage } from './preferences-form.ts';
import { readLink, readPreferences } from './read-link.ts';
import { showPreferencesPageRoute } from './routes.ts';

export const handler = endpoint(
  showPreferencesPageRoute,
  { signer, accounts, notificationTypes, preferenceStore, logs, erasureMarks, users },
  async ({ path, request, ...deps }) => {
    const link = await readLink(deps, path.token, request.receivedAtMs);
    const { account, types, preferences, user, language } = await readPreferences(deps, link, request);
    const facts = { account, types, user, nowMs: request.receivedAtMs };
    return preferencesPage(facts, choicesOf(types, preferences), language);
  },
);
