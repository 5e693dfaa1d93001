import { componentChanges } from '../../shared/database/entities/content/component-changes.ts';
import { components } from '../../shared/database/entities/content/components.ts';
import { creationOf } from '../../shared/domain/routing/creation.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { embeddedComponents, loadTemplateCheck } from '../templates/draft.ts';
import { assertKnownComponents } from '../templates/known-components.ts';
import { componentResponse, refusalOf } from './response.ts';
import { createComponentRoute } from './routes.ts';

export const handler = endpoint(createComponentRoute, { componentChanges, components }, async (input) => {
  const { componentChanges, components, caller, body, request } = input;
  const creation = creationOf(createComponentRoute, input);
  const check = await loadTemplateCheck();
  const { componentId = creation.id, name, html = '', internal = '', internalPage = '' } = body;
  const draft = {
    name,
    html,
    internal,
    internalPage,
    embeds: embeddedComponents(check, 'EMAIL', { html }),
  };
  const outcome = await componentChanges.create(caller.environmentId, componentId, draft, {
    nowMs: request.receivedAtMs,
    creation,
  });
  if (outcome.kind === 'no-component') {
    await assertKnownComponents(components, caller.environmentId, { ids: draft.embeds, field: 'html' });
  }
  if (outcome.kind !== 'saved') throw refusalOf(outcome.kind);
  return componentResponse(caller.environmentId, outcome.component, []);
});
