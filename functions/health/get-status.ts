import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { getStatusRoute } from './routes.ts';

export const handler = endpoint(getStatusRoute, {}, async () => ({ message: 'ok' }));
