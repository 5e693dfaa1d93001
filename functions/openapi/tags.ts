/** Descriptions of the resources by their folders, in the order of the reference: what a reader needs first. */
const TAG_TEXTS: Readonly<Record<string, string>> = {
  sending: 'Send notifications, and change scheduled notifications.',
  logs: 'Delivery logs.',
  waiting: 'What is accepted and not sent yet.',
  users: 'Users and their contact data.',
  preferences: "A user's preferences.",
  types: 'Notification types.',
  templates: 'Templates of a notification type, by channel.',
  inapp: "A user's in-app notifications.",
  topics: 'Topics and their members: one request reaches all of them.',
  account: 'The account, and the data that browsers need.',
  addresses: 'Email addresses of the account.',
  backend: 'The connection to a backend platform.',
  callbacks: 'Endpoints that providers call. Their signature is the credential.',
  components: 'Reusable parts of emails.',
  domains: 'Sender domains and their DNS records.',
  environments: 'Environments of the account.',
  events: 'The requests that the service makes to your webhook, one for each event.',
  health: 'The availability of the service, and this document.',
  keys: 'API keys.',
  members: 'Members of the account and their invitations.',
  organization: 'Usage and billing.',
  profile: "A member's own profile.",
  providers: "The order of a channel's providers, and their state.",
  'push-settings': 'Credentials of FCM and APNs.',
  tracking: 'Opens and clicks of emails.',
  translations: 'Translations by language, for templates.',
  unsubscribe: 'The link to unsubscribe in emails.',
  webhooks: 'The webhook that receives the events.',
};

export function tagTextOf(name: string): string {
  const text = TAG_TEXTS[name];
  if (text === undefined) throw new Error(`functions/openapi/tags.ts has no description of ${name}.`);
  return text;
}

export const tagOrderOf = (name: string): number => Object.keys(TAG_TEXTS).indexOf(name);
