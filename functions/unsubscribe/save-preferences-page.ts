import { accounts } from '../../shared/database/entities/accounts/accounts.ts';
import { environments } from '../../shared/database/entities/accounts/environments.ts';
import { notificationTypes } from '../../shared/database/entities/content/notification-types.ts';
import { erasureMarks } from '../../shared/database/entities/erasure/erasure-marks.ts';
import { logs } from '../../shared/database/entities/logs/logs.ts';
import { users } from '../../shared/database/entities/users/users.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { choiceDependencies, choose } from '../preferences/choose.ts';
import { choicesOf, preferencesPage, submittedChoices, submittedFields } from './preferences-form.ts';
import { submittedQuiet } from './quiet-choices.ts';
import { readLink, readPreferences } from './read-link.ts';
import { renewalOf, renewLink } from './renew-link.ts';
import { savePreferencesPageRoute } from './routes.ts';

export const handler = endpoint(
  savePreferencesPageRoute,
  { ...choiceDependencies, accounts, environments, notificationTypes, logs, erasureMarks, users },
  async ({ path, query, request, ...deps }) => {
    const nowMs = request.receivedAtMs;
    const link = await readLink(deps, path.token, nowMs);
    const read = await readPreferences(deps, link, request);
    if (query.renew === 'true') return renewLink(deps, link, read, request);
    if (!read.isCurrent) throw renewalOf(read);
    const { account, types, preferences, user, language } = read;
    const { environmentId, userId } = link;
    const form = submittedFields(request.rawBody);
    const chosen = submittedChoices(form, choicesOf(types, preferences));
    const address = link.channel === 'EMAIL' ? link.address : undefined;
    const by = { source: 'page', actor: 'person', atMs: nowMs, address };
    if (chosen.length > 0) await choose(deps, link, chosen, by);
    const result = submittedQuiet(form, { user, account, types, nowMs });
    const isChanged = Object.keys(result.change).length > 0;
    const changed = isChanged ? await deps.users.merge(link, userId, result.change, { nowMs }) : user;
    const saved = await deps.preferenceStore.find(environmentId, userId);
    const facts = { account, types, user: changed, nowMs };
    return preferencesPage(facts, choicesOf(types, saved), language, result);
  },
);
