import * as v from 'valibot';
import { marketingProblem } from '../../shared/channels/email/content/marketing-email.ts';
import { readingProblems } from '../../shared/channels/email/content/reading-problems.ts';
import { accounts } from '../../shared/database/entities/accounts/accounts.ts';
import { components } from '../../shared/database/entities/content/components.ts';
import { notificationTypes } from '../../shared/database/entities/content/notification-types.ts';
import { readLanguage } from '../../shared/database/entities/content/reader-language.ts';
import { translations } from '../../shared/database/entities/content/translations.ts';
import { layoutOf } from '../../shared/domain/content/layout.ts';
import { textFacts } from '../../shared/domain/costs/phone-costs.ts';
import { firstTimezone } from '../../shared/domain/timing/timezone.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { fieldsOf, type RequestParts } from '../../shared/http/problems/check.ts';
import type { Problem } from '../../shared/http/problems/problems.ts';
import type { RenderInput } from '../../shared/rendering/content.ts';
import { numberSetting } from '../../shared/runtime/config.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { Channel } from '../../shared/schemas/channel.ts';
import { modesOf, type TemplatePreview } from '../../shared/schemas/content/template.ts';
import { FreeForm } from '../../shared/schemas/fields/text.ts';
import { changedContent, contentProblems, draftOf, loadTemplateCheck, ownFields } from './draft.ts';
import { assertTemplate } from './invalid-template.ts';
import { assertKnownComponents, assertLayout } from './known-components.ts';
import { refusalOf } from './refusals.ts';
import { previewTemplateRoute } from './routes.ts';
import { scopeOf } from './scope.ts';

export const handler = endpoint(
  previewTemplateRoute,
  { accounts, notificationTypes, components, translations },
  async ({ accounts, notificationTypes, components, translations, caller, path, body, request }) => {
    const { environmentId, notificationId, channel } = scopeOf(caller, path);
    const { locale, attributes } = body;
    const { parameters, items, mode } = valuesOf(body);
    const fields = changedContent({}, ownFields(channel, body.template));
    const account = await accounts.get(caller.accountId);
    const { linkSchemes = [] } = account;
    const draft = draftOf(await loadTemplateCheck(), channel, fields, { linkSchemes, place: 'template' });
    const type = await notificationTypes.find(environmentId, notificationId);
    if (!type) throw refusalOf('no-type');
    if (type.parametersSchema !== undefined && body.parameters !== undefined) {
      const { assertParameters } = await import('../sending/content/parameter-check.ts');
      assertParameters(type.parametersSchema, { parameters: body.parameters });
    }
    const { rehearseContent } = await import('../../shared/rendering/checks/rehearsal.ts');
    await assertKnownComponents(components, environmentId, {
      ids: draft.components,
      field: 'html',
      place: 'template',
    });
    await assertLayout(components, environmentId, draft.content, { place: 'template' });
    const layout = channel === 'EMAIL' ? layoutOf(draft.content, account) : undefined;
    const ids = layout === undefined ? draft.components : [...draft.components, layout];
    const embedded = await components.loadHtml(environmentId, ids);
    const rendered = rehearseContent({
      channel,
      template: templateOf(draft.content),
      user: { ...ANY_USER, locale: locale ?? account.locale ?? '', attributes },
      parameters,
      items: mode === 'instant' ? undefined : (items ?? [parameters]),
      unsubscribeUrl: UNSUBSCRIBE_URL,
      components: embedded,
      layout,
      linkSchemes,
      mode,
      atMs: request.receivedAtMs,
      language: await readLanguage(
        { translations },
        {
          environmentId,
          user: defined({ locale }),
          account,
          zone: firstTimezone([account.timezone]),
          isInline: false,
          variant: locale,
          sources: [draft.content, embedded],
        },
      ),
    });
    if (!rendered.ok) {
      assertTemplate([rendered.problem], 'template');
      throw new Error('rendering failed without a problem');
    }
    const { content, missing, missingTranslations } = rendered;
    if (type.purpose === 'marketing' && 'html' in content) {
      const required = { unsubscribeUrl: UNSUBSCRIBE_URL, postalAddress: account.postalAddress };
      const unlawful = marketingProblem(content.html, required);
      if (unlawful) assertTemplate([`html: ${unlawful}`], 'template');
    }
    const notes = [...rendered.notes, ...('html' in content ? readingProblems(content.html) : [])];
    return {
      content,
      missing,
      ...(channel === 'SMS' ? textFacts(content, numberSetting('PHONE_PRICE_ESTIMATE_CENTS')) : undefined),
      ...(missingTranslations.length > 0 ? { missingTranslations } : undefined),
      ...(notes.length > 0 ? { notes } : undefined),
    };
  },
  async (parts) => [
    ...(await contentProblems(parts, 'body.template', fieldsOf(parts.body).template)),
    ...modeProblems(parts),
  ],
);

function modeProblems({ path, body }: RequestParts): Problem[] {
  const { mode } = fieldsOf(body);
  const channel = v.safeParse(Channel, path.channel);
  if (!channel.success || typeof mode !== 'string') return [];
  const known = modesOf(channel.output);
  if (known.some((each) => each === mode)) return [];
  return [{ where: 'body.mode', must: `must be a mode of ${channel.output}: ${known.join(', ')}` }];
}

/** The values for rendering a content: the request's, by default its samples. Items mean a digest. */
function valuesOf({ template, parameters, items, mode }: v.InferOutput<typeof TemplatePreview>) {
  const { _items, ...samples } = template.samples ?? {};
  const sampled = parameters === undefined && mode !== 'instant' ? _items : undefined;
  const found = items ?? (v.is(v.array(FreeForm), sampled) ? sampled : undefined);
  return { parameters: parameters ?? samples, items: found, mode: mode ?? (found ? 'daily' : 'instant') };
}

const UNSUBSCRIBE_URL = 'https://example.com/unsubscribe/preview';

/** Every contact field counts as present: a preview has no user. */
const ANY_USER = { id: '', email: '', number: '', timezone: '', chatChannel: '' };

/** `draftOf` has parsed the content by the schema of the channel. */
function templateOf<C extends Channel>(content: object): RenderInput<C>['template'] {
  return content as RenderInput<C>['template'];
}
