FROM node:24-slim AS packages
WORKDIR /warren
# Only what npm reads, so that packages are fetched again only when they change.
COPY package.json package-lock.json ./
COPY apps/cli/package.json apps/cli/
COPY apps/server/package.json apps/server/
COPY apps/web/package.json apps/web/
COPY bench/package.json bench/
COPY e2e/package.json e2e/
COPY packages/core/package.json packages/core/
COPY packages/protocol/package.json packages/protocol/

FROM packages AS build
RUN npm ci --ignore-scripts
COPY . .
ARG BASE_PATH
ARG VITE_SIGNALLING_URL
ARG WARREN_COMMIT
ARG WARREN_SOURCE_URL
RUN npm run build --workspace @warren/web && npm run build --workspace @warren/server

FROM packages AS modules
RUN npm ci --ignore-scripts --omit=dev --omit=optional --workspace @warren/server

FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /warren
COPY --from=modules /warren/node_modules node_modules
COPY --from=build /warren/apps/server/package.json apps/server/package.json
COPY --from=build /warren/apps/server/dist apps/server/dist
COPY --from=build /warren/apps/web/dist apps/web/dist
USER node
EXPOSE 8080
# Whatever the certificate says: the address asked is the container's own.
HEALTHCHECK --start-period=10s CMD ["node", "-e", "require(process.env.TLS_CERT ? 'https' : 'http').get({ host: '127.0.0.1', port: process.env.PORT || 8080, path: '/healthz', rejectUnauthorized: false }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
CMD ["node", "--max-old-space-size=768", "--disable-proto=delete", "apps/server/dist/main.js"]
