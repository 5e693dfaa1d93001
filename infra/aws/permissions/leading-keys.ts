/** What every credential is checked against: the account, its keys and members, whose an environment is, its rate. */
const CALLER = ['ACCOUNT', 'KEYCOPY', 'ENV', 'CLAIM', 'RATE'] as const;
const USER = [...CALLER, 'USER'] as const;
const SIGNED = [...CALLER, 'DEPLOYMENT'] as const;

/**
 * First parts of the partition keys that a resource's endpoints touch: their roles reach no other. Only resources that
 * build every key themselves stand here. Others also follow keys that reach them as data (from an index, a message,
 * another item), which cannot be told from their code.
 */
export const LEADING_KEYS: Readonly<Record<string, readonly string[]>> = {
  account: CALLER,
  addresses: CALLER,
  backend: CALLER,
  callbacks: [...USER, 'DEPLOYMENT', 'LOG', 'SMSTHREAD', 'SMSOPTOUT', 'SUPPRESSION'],
  components: SIGNED,
  domains: CALLER,
  environments: [...SIGNED, 'USER', 'CONNECTION', 'SOCKETS'],
  inapp: [...USER, 'LOG', 'CONNECTION', 'SOCKETS', 'ERASED'],
  keys: CALLER,
  members: SIGNED,
  organization: [...SIGNED, 'USAGE'],
  preferences: [...USER, 'SUPPRESSION'],
  profile: SIGNED,
  providers: [...CALLER, 'BREAKER', 'PROVIDERCALL'],
  'push-settings': CALLER,
  templates: [...CALLER, 'TEMPLATES'],
  topics: [...USER, 'TOPIC', 'ERASED', 'DEPLOYMENT'],
  tracking: [...CALLER, 'LOG', 'DEPLOYMENT'],
  translations: CALLER,
  types: [...CALLER, 'TEMPLATES'],
  unsubscribe: [...USER, 'LOG', 'DEPLOYMENT', 'ERASED', 'SUPPRESSION'],
  webhooks: [...CALLER, 'WEBHOOKATTEMPTS'],
};

/** The same for workers; most of them take up what a message or the stream names. */
export const WORKER_LEADING_KEYS: Readonly<Record<string, readonly string[]>> = {
  'mail-admins': ['ACCOUNT', 'CLAIM'],
  'websocket-connect': ['ACCOUNT', 'ENV', 'CLAIM', 'USER', 'CONNECTION', 'SOCKETS', 'ERASED'],
  'websocket-disconnect': ['USER', 'CONNECTION', 'SOCKETS'],
};

/** The condition on partition keys of a role, when one holds. `DEPLOYMENT` is a key of its own without `#`. */
export function leadingKeyCondition(families: readonly string[] | undefined) {
  if (!families) return undefined;
  const patterns = families.map((family) => (family === 'DEPLOYMENT' ? family : `${family}#*`));
  return { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns } };
}
