import { createTestAccount } from '../../support/app.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { accountLife } from './setup.ts';

export const pipeline = usePipeline();

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
