import { components } from '../../shared/database/entities/content/components.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { componentResponse, refusalOf } from './response.ts';
import { getComponentRoute } from './routes.ts';

export const handler = endpoint(getComponentRoute, { components }, async ({ components, caller, path }) => {
  const { environmentId } = caller;
  const component = await components.find(environmentId, path.componentId);
  if (!component) throw refusalOf('not-found');
  const references = await components.referencesTo(environmentId, [component.componentId]);
  return componentResponse(environmentId, component, references.get(component.componentId) ?? []);
});
