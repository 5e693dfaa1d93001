import type { Profile } from '../../domain/users/profile.ts';
import type { SendRequest } from '../../schemas/sending/send-request.ts';
import type { User } from '../../schemas/users/user.ts';
import { countedList } from '../values/counted-list.ts';

/** The user's fields in templates: contact data, attributes and times, never tokens. */
const USER_FIELDS = [
  'id',
  'email',
  'number',
  'timezone',
  'locale',
  'chatChannel',
  'attributes',
  'lastSeenTime',
  'createdAt',
  'updatedAt',
] as const satisfies (keyof User)[];

/** The variables that a request supplies by name; `parameters` win over the legacy `mergeTags`. */
export function requestParameters(
  request: Pick<SendRequest, 'mergeTags' | 'parameters'>,
): Record<string, unknown> {
  return { ...request.mergeTags, ...request.parameters };
}

/** The user as templates see it: contact data and attributes, never tokens. Users without a language have the account's. */
export function visibleUser(
  user: Partial<Profile>,
  account?: { locale?: string | undefined },
): Record<string, unknown> {
  const { userId: id, email, number, timezone, locale = account?.locale, chatChannel, attributes } = user;
  return { id, email, number, timezone, locale, chatChannel, attributes };
}

/** The sources of a content's variables. */
export type VariableSources = {
  user: Readonly<Record<string, unknown>>;
  parameters: Readonly<Record<string, unknown>>;
  unsubscribeUrl?: string | undefined;
  /** The type cannot be turned off: there is nothing to unsubscribe from. */
  isFixed?: boolean | undefined;
  /** Each collected item's parameters; digests only. */
  items?: readonly Record<string, unknown>[] | undefined;
  /** Number of further items, which do not fit into the message. */
  itemsLeft?: number | undefined;
};

/**
 * The variables of templates: every parameter by its name, and under the reserved names `parameters`, `user`,
 * `unsubscribe_url`, `preferences_url`, `_items` and `_more`, which no parameter can override, even if they are empty.
 */
export function variablesOf(sources: VariableSources): Readonly<Record<string, unknown>> {
  const { user, parameters, unsubscribeUrl, isFixed, items, itemsLeft = 0 } = sources;
  const visible = USER_FIELDS.flatMap((field) => (Object.hasOwn(user, field) ? [[field, user[field]]] : []));
  return Object.assign(Object.create(null), parameters, {
    parameters,
    user: Object.fromEntries(visible),
    unsubscribe_url: isFixed ? undefined : unsubscribeUrl,
    // The same token opens both pages.
    preferences_url: unsubscribeUrl?.replace('/unsubscribe/', '/preferences/'),
    _items: items && countedList(items, items.length + itemsLeft),
    // Undefined without any: 0 is true in conditions.
    _more: itemsLeft || undefined,
  });
}
