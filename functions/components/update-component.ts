import { componentChanges } from '../../shared/database/entities/content/component-changes.ts';
import { components } from '../../shared/database/entities/content/components.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { embeddedComponents, loadTemplateCheck } from '../templates/draft.ts';
import { assertKnownComponents } from '../templates/known-components.ts';
import { componentResponse, refusalOf } from './response.ts';
import { updateComponentRoute } from './routes.ts';

export const handler = endpoint(
  updateComponentRoute,
  { componentChanges, components },
  async ({ componentChanges, components, caller, path, body, request }) => {
    const check = await loadTemplateCheck();
    const { environmentId } = caller;
    const { name, html, internal, internalPage } = body;
    const embeds = html === undefined ? undefined : embeddedComponents(check, 'EMAIL', { html });
    const isEmpty = [name, html, internal, internalPage].every((field) => field === undefined);
    const outcome = await componentChanges.edit(
      environmentId,
      path.componentId,
      (stored) =>
        isEmpty
          ? undefined
          : {
              name: name ?? stored.name,
              html: html ?? stored.html,
              internal: internal ?? stored.internal,
              internalPage: internalPage ?? stored.internalPage,
              embeds: embeds ?? stored.embeds,
            },
      request.receivedAtMs,
    );
    if (outcome.kind === 'no-component') {
      await assertKnownComponents(components, environmentId, { ids: embeds ?? [], field: 'html' });
    }
    if (outcome.kind !== 'saved') throw refusalOf(outcome.kind);
    const references = await components.referencesTo(environmentId, [path.componentId]);
    return componentResponse(environmentId, outcome.component, references.get(path.componentId) ?? []);
  },
);
