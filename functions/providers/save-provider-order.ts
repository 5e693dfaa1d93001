import * as v from 'valibot';
import { accounts } from '../../shared/database/entities/accounts/accounts.ts';
import { type OwnCredentials, ownProviders } from '../../shared/database/entities/settings/own-providers.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { type Fields, fieldsOf, type RequestParts } from '../../shared/http/problems/check.ts';
import { shownName } from '../../shared/http/problems/misfits.ts';
import { assertNoProblems, type Problem } from '../../shared/http/problems/problems.ts';
import {
  deploymentOrder,
  entriesOf,
  ORDERED_CHANNELS,
  type OrderedChannel,
  OWN_ORDERS,
  orderOf,
  orderProblem,
  type ProviderEntry,
} from '../../shared/providers/order/provider-order.ts';
import { credentialsProblem, settingsOf } from '../../shared/providers/settings/own-credentials.ts';
import { OwnProviderCredentials, ProviderOrderBody } from '../../shared/schemas/domains/provider-order.ts';
import { orderResponse } from './effective-orders.ts';
import { saveProviderOrderRoute } from './routes.ts';

export const handler = endpoint(
  saveProviderOrderRoute,
  { accounts, ownProviders },
  async ({ accounts, ownProviders, caller, path: { channel }, body, request }) => {
    const { accountId } = caller;
    const { order, credentials = {} } = body;
    const deployment = deploymentOrder(channel);
    const stored = await ownProviders.find(accountId, channel);
    const own = entriesOf(order).filter(({ text }) => deployment.every((entry) => entry.text !== text));
    assertNoProblems(own.flatMap((entry) => missingProblems(entry, credentials[entry.text], stored)));
    const storedEntries = own.map((entry) => {
      const submitted = credentials[entry.text];
      return [entry.text, submitted ? settingsOf(entry, submitted) : (stored[entry.text] ?? {})];
    });
    const account = await accounts.get(accountId);
    // Credentials are stored before the order names their entry.
    if (storedEntries.length > 0)
      await ownProviders.save(accountId, channel, Object.fromEntries(storedEntries));
    const [former] = orderOf(account, channel, deployment);
    const changed = { order, changedAtMs: request.receivedAtMs, formerFirst: former.text };
    const updated = await accounts.update(accountId, { [OWN_ORDERS[channel]]: changed });
    if (storedEntries.length === 0) await ownProviders.delete(accountId, channel);
    return orderResponse(updated, channel);
  },
  orderProblems,
);

/** Those of an order and of its credentials, as far as they do not depend on what is stored. */
function orderProblems({ path, body }: RequestParts): Problem[] {
  const channel = v.safeParse(v.picklist(ORDERED_CHANNELS), path.channel);
  const order = v.safeParse(ProviderOrderBody.entries.order, fieldsOf(body).order);
  if (!channel.success || !order.success) return [];
  const problem = orderProblem(channel.output, order.output);
  if (problem) return [{ where: 'body.order', must: problem }];
  const submitted = fieldsOf(fieldsOf(body).credentials);
  const deployment = deploymentOrder(channel.output);
  const own = entriesOf(order.output).filter(({ text }) => deployment.every((each) => each.text !== text));
  return [
    ...strayProblems(own, submitted),
    ...own.flatMap((entry) => entryProblems(channel.output, entry, submitted[entry.text])),
  ];
}

/** Credentials that no entry of the order would use. */
function strayProblems(own: readonly ProviderEntry[], credentials: Fields): Problem[] {
  return Object.keys(credentials)
    .filter((text) => own.every((entry) => entry.text !== text))
    .map((text) => ({
      where: `body.credentials.${shownName(text)}`,
      must: 'must belong to one of your own providers in `order`, such as twilio:mine',
    }));
}

function entryProblems(channel: OrderedChannel, entry: ProviderEntry, submitted: unknown): Problem[] {
  const { text, name, provider } = entry;
  if (provider === 'sandbox')
    return [{ where: 'body.order', must: `has ${text}, which this deployment does not have` }];
  if (name === undefined) {
    const must = `has ${text}, which this deployment does not have: give it a name, such as ${text}:own, and credentials`;
    return [{ where: 'body.order', must }];
  }
  const credentials = v.safeParse(OwnProviderCredentials, submitted);
  const problem = credentials.success && credentialsProblem(channel, entry, credentials.output);
  return problem ? [{ where: `body.credentials.${text}`, must: problem }] : [];
}

function missingProblems(
  { text }: ProviderEntry,
  submitted: OwnProviderCredentials | undefined,
  stored: OwnCredentials,
): Problem[] {
  if (submitted || stored[text]) return [];
  return [{ where: `body.credentials.${text}`, must: 'is required: the deployment has no such provider' }];
}
