/** Descriptions of the resources, by their folders. */
const TAG_TEXTS: Readonly<Record<string, string>> = {
  account: 'The account, and the data that browsers need.',
  addresses: 'Email addresses of the account.',
  backend: 'The connection to a backend platform.',
  callbacks: 'Endpoints that providers call. Their signature is the credential.',
  components: 'Reusable parts of emails.',
  domains: 'Sender domains and their DNS records.',
  environments: 'Environments of the account.',
  events: 'The requests that the service makes to your webhook, one for each event.',
  health: 'The availability of the service, and this document.',
  inapp: "A user's in-app notifications.",
  keys: 'API keys.',
  logs: 'Delivery logs.',
  members: 'Members of the account and their invitations.',
  organization: 'Usage and billing.',
  preferences: "A user's preferences.",
  profile: "A member's own profile.",
  providers: "The order of a channel's providers, and their state.",
  'push-settings': 'Credentials of FCM and APNs.',
  sending: 'Send notifications, and change scheduled ones.',
  templates: 'Templates of a notification type, by channel.',
  topics: 'Topics and their members: one request reaches all of them.',
  tracking: 'Opens and clicks of emails.',
  translations: 'Translations by language, for templates.',
  types: 'Notification types.',
  unsubscribe: 'The link to unsubscribe in emails.',
  users: 'Users and their contact data.',
  webhooks: 'The webhook that receives the events.',
};

/** Returns the description of a resource; throws if it has none. */
export function tagTextOf(name: string): string {
  const text = TAG_TEXTS[name];
  if (text === undefined) throw new Error(`functions/openapi/tags.ts has no description of ${name}.`);
  return text;
}
