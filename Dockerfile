# Runs `rasa discover-intents` on the example bot, or on the bot that is mounted at /bot: see docs/install.md.
FROM python:3.10-slim

WORKDIR /src
# What changes seldom comes first. uv installs at the versions in constraints.txt, and is one of these itself.
COPY constraints.txt pyproject.toml ./
RUN pip install --no-cache-dir "$(grep -o '^uv==[^ ]*' constraints.txt)" \
    && uv pip install --system --no-cache --constraint constraints.txt \
        --extra rasa --extra embedded --extra excel --requirement pyproject.toml
COPY README.md LICENSE rasa_intent_discovery_hook.pth ./
COPY rasa_intent_discovery rasa_intent_discovery
RUN uv pip install --system --no-cache --no-deps .

RUN useradd --create-home bot
COPY --chown=bot example_bot /bot
WORKDIR /bot
USER bot
# Also for who is given with --user, and has neither a name nor a home here.
ENV HOME=/tmp USER=bot RASA_TELEMETRY_ENABLED=false PYTHONWARNINGS=ignore
ENTRYPOINT ["rasa", "discover-intents"]
