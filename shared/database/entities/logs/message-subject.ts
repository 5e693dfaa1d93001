import type { ChannelRouting } from '../../../domain/logs/log.ts';
import { chosenTemplateOf } from '../../../domain/routing/chosen-template.ts';
import { firstTimezone } from '../../../domain/timing/timezone.ts';
import { requestParameters, visibleUser } from '../../../rendering/checks/variables.ts';
import { dependsOnReader } from '../../../rendering/language/language.ts';
import { hasTags } from '../../../rendering/syntax/tags.ts';
import { defined } from '../../../runtime/values/defined.ts';
import type { Database } from '../../database.ts';
import { profileKey } from '../../keys/user.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Retentions } from '../accounts/retentions.ts';
import { readLanguage } from '../content/reader-language.ts';
import type { Templates } from '../content/templates.ts';
import type { Translations } from '../content/translations.ts';
import { readProfile } from '../users/stored-profile.ts';
import type { Feed } from './feed.ts';
import type { StoredLogHead } from './log-head.ts';
import type { Logs } from './logs.ts';

export type MessagesDependencies = {
  table: Database;
  feeds: Feed;
  log: Logs;
  contents: Templates;
  catalogs: Translations;
  knownAccounts: Accounts;
  retained: Retentions;
};

/** The rendered subject, of the request's own content or of the template; undefined if it has none. */
export async function findSubject(
  sources: MessagesDependencies,
  { request, routing, ...head }: StoredLogHead,
): Promise<string | undefined> {
  const subject = request.email?.subject ?? (await findTemplateSubject(sources, routing.EMAIL, head));
  if (subject === undefined || (!hasTags(subject) && !request.replace)) return subject;
  const { renderContent } = await import('../../../rendering/content.ts');
  const reader = dependsOnReader(subject)
    ? await findReader(sources, head, subject, routing.EMAIL)
    : undefined;
  const rendered = renderContent({
    channel: 'EMAIL',
    inline: { subject },
    user: visibleUser({ ...reader?.user, ...head }, reader?.account),
    language: reader?.language,
    parameters: requestParameters(request),
    replace: request.replace,
    mode: 'instant',
    atMs: head.processedAtMs ?? head.receivedAtMs,
  });
  return rendered.ok ? rendered.content.subject : subject;
}

/** The user as they are now, with the language of their messages. */
async function findReader(
  sources: MessagesDependencies,
  { accountId, environmentId, userId }: Pick<StoredLogHead, 'accountId' | 'environmentId' | 'userId'>,
  subject: string,
  decided: ChannelRouting | undefined,
) {
  const stored = await sources.table.get(profileKey(environmentId, userId));
  const { locale, timezone, chatChannel, attributes } = stored ? readProfile(stored) : {};
  const user = defined({ locale, timezone, chatChannel, attributes });
  const account = await sources.knownAccounts.findRecent(accountId);
  const language = await readLanguage(
    { translations: sources.catalogs },
    {
      environmentId,
      user,
      account,
      zone: firstTimezone([timezone, account?.timezone]),
      isInline: decided?.template === undefined,
      variant: decided?.locale,
      sources: [subject],
    },
  );
  return { user, account, language };
}

async function findTemplateSubject(
  sources: MessagesDependencies,
  decided: ChannelRouting | undefined,
  { environmentId, notificationId }: Pick<StoredLogHead, 'environmentId' | 'notificationId'>,
): Promise<string | undefined> {
  const chosen = chosenTemplateOf(decided);
  return (
    chosen && (await sources.contents.findContent(environmentId, notificationId, 'EMAIL', chosen))?.subject
  );
}
