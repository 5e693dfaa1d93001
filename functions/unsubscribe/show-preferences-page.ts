import { signer } from '../../shared/database/entities/access/deployment-secret.ts';
import { accounts } from '../../shared/database/entities/accounts/accounts.ts';
import { notificationTypes } from '../../shared/database/entities/content/notification-types.ts';
import { erasureMarks } from '../../shared/database/entities/erasure/erasure-marks.ts';
import { logs } from '../../shared/database/entities/logs/logs.ts';
import { preferenceStore } from '../../shared/database/entities/users/preferences.ts';
import { users } from '../../shared/database/entities/users/users.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { choicesOf, preferencesPage } from './preferences-form.ts';
import { readLink, readPreferences } from './read-link.ts';
import { renewalOf } from './renew-link.ts';
import { showPreferencesPageRoute } from './routes.ts';

export const handler = endpoint(
  showPreferencesPageRoute,
  { signer, accounts, notificationTypes, preferenceStore, logs, erasureMarks, users },
  async ({ path, request, ...deps }) => {
    const link = await readLink(deps, path.token, request.receivedAtMs);
    const read = await readPreferences(deps, link, request);
    if (!read.isCurrent) throw renewalOf(read);
    const { account, types, preferences, user, language } = read;
    const facts = { account, types, user, nowMs: request.receivedAtMs };
    return preferencesPage(facts, choicesOf(types, preferences), language);
  },
);
