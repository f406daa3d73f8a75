FROM node:20-slim AS build
WORKDIR /warren
COPY . .
ARG WARREN_COMMIT
RUN npm ci --ignore-scripts && npm run build

FROM node:20-slim AS modules
WORKDIR /warren
COPY . .
RUN npm ci --ignore-scripts --omit=dev --workspace @warren/server

FROM node:20-slim
ENV NODE_ENV=production
WORKDIR /warren
COPY --from=modules /warren/node_modules node_modules
COPY --from=modules /warren/packages/protocol packages/protocol
COPY --from=build /warren/apps/server/package.json apps/server/package.json
COPY --from=build /warren/apps/server/dist apps/server/dist
COPY --from=build /warren/apps/web/dist apps/web/dist
USER node
EXPOSE 8080
HEALTHCHECK CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-old-space-size=768", "--disable-proto=delete", "apps/server/dist/main.js"]
