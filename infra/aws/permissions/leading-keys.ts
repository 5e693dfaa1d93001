/**
 * Items that every credential check reads: the account, its keys and members, the environment's account, its
 * rate.
 */
const CALLER = ['ACCOUNT', 'KEYCOPY', 'ENV', 'CLAIM', 'RATE'] as const;
const USER = [...CALLER, 'USER'] as const;
/** Of code that changes users: with a change of addresses it moves their references. */
const CHANGED_USER = [...USER, 'CONTACT'] as const;
const SIGNED = [...CALLER, 'DEPLOYMENT'] as const;

/**
 * First parts of the partition keys that a resource's endpoints use: their roles allow no other. Only
 * resources that build every key themselves are listed. Others also follow keys in data (from an index, a
 * message, another item), which cannot be derived from their code.
 */
export const LEADING_KEYS: Readonly<Record<string, readonly string[]>> = {
  account: [...CALLER, 'ERASING'],
  addresses: CALLER,
  backend: CALLER,
  callbacks: [...USER, 'DEPLOYMENT', 'LOG', 'SMSTHREAD', 'SMSOPTOUT'],
  components: SIGNED,
  domains: CALLER,
  environments: [...SIGNED, 'USER', 'CONNECTION', 'SOCKETS', 'ENVREMOVAL', 'ERASURES'],
  inapp: [...USER, 'LOG', 'CONNECTION', 'SOCKETS'],
  keys: CALLER,
  members: SIGNED,
  organization: [...SIGNED, 'USAGE'],
  preferences: [...CHANGED_USER, 'DEPLOYMENT', 'SUPPRESSION'],
  profile: SIGNED,
  providers: [...CALLER, 'BREAKER', 'PROVIDERCALL'],
  'push-settings': CALLER,
  templates: [...CALLER, 'TEMPLATES'],
  topics: [...USER, 'TOPIC', 'ERASED', 'DEPLOYMENT'],
  tracking: [...CALLER, 'LOG', 'DEPLOYMENT'],
  translations: CALLER,
  types: [...CALLER, 'TEMPLATES', 'ERASING'],
  unsubscribe: [...CHANGED_USER, 'LOG', 'DEPLOYMENT', 'ERASED', 'SUPPRESSION'],
  webhooks: [...SIGNED, 'LOG', 'WEBHOOKATTEMPTS'],
};

/** The same for workers; most of them process keys from a message or the stream. */
export const WORKER_LEADING_KEYS: Readonly<Record<string, readonly string[]>> = {
  'websocket-connect': ['ACCOUNT', 'ENV', 'CLAIM', 'USER', 'CONNECTION', 'SOCKETS', 'ERASED', 'DEPLOYMENT'],
  'websocket-disconnect': ['USER', 'CONNECTION', 'SOCKETS'],
};

/** The condition on partition keys of a role, if there is one. `DEPLOYMENT` is a complete key without `#`. */
export function leadingKeyCondition(families: readonly string[] | undefined) {
  if (!families) return undefined;
  const patterns = families.map((family) => (family === 'DEPLOYMENT' ? family : `${family}#*`));
  return { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns } };
}
