import { createTestAccount } from '../../support/app.ts';
import { createPipeline } from '../../support/pipeline.ts';
import { later, use } from '../../support/use-started.ts';
import { accountLife } from './setup.ts';

export const pipeline = later(createPipeline);

const EMAIL = { subject: 'News for {{ user.id }}', html: '<p>{{ text }}</p>' };
export const TO_NEWS = { type: 'news', to: { topic: 'news' }, parameters: { text: 'Hi' }, email: EMAIL };
export const HOUR_MS = 3_600_000;

export async function newAccount(members: readonly string[] = ['ada', 'bob', 'cyd']) {
  const account = await createTestAccount(pipeline);
  const { key } = account.secret;
  const life = accountLife(account, pipeline);
  for (const id of members) await life.saveUser(id);
  if (members.length > 0) await life.add(members);
  return { ...life, key, account };
}

/** Starts this set-up for the tests of a file. */
export function useTopics(): void {
  use(pipeline);
}
