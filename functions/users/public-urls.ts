import { type Fields, fieldsOf, textOf } from '../../shared/http/problems/check.ts';
import type { Problem } from '../../shared/http/problems/problems.ts';
import { hasTags } from '../../shared/rendering/syntax/tags.ts';

type Named = { where: string; url: string | undefined };

/** URLs that are called for a message must be public; a host with merge tags is known when it is sent. */
export async function publicUrlProblems(urls: readonly Named[]): Promise<Problem[]> {
  if (urls.length === 0) return [];
  const { MUST_BE_PUBLIC_URL, mayBeCalled } = await import('../../shared/providers/settings/public-host.ts');
  return urls
    .filter(({ url }) => url !== undefined && !hasTags(url.split('/')[2] ?? '') && !mayBeCalled(url))
    .map(({ where }) => ({ where, must: MUST_BE_PUBLIC_URL }));
}

/** Those of a user's web push subscriptions. */
export const subscriptionUrls = (where: string, { webPushTokens }: Fields): Named[] =>
  (Array.isArray(webPushTokens) ? webPushTokens : []).map((each, index) => ({
    where: `${where}.webPushTokens[${index}].sub.endpoint`,
    url: textOf(fieldsOf(fieldsOf(each).sub).endpoint),
  }));
