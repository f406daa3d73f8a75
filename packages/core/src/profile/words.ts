/** Nouns for a room's default name: short, easy to say, hard to mishear. */
export const roomNouns: readonly string[] = (
  "acorn anchor apple arbour atlas badge balcony bamboo barley basin beacon birch bottle boulder branch breeze bridge " +
  "brook burrow button cabin candle canvas canyon carpet castle cedar cellar chapel cherry cider cinder circle cliff " +
  "clover cobalt comet copper coral corner cotton cradle crater crayon creek crystal dahlia dolphin dome donkey drum " +
  "dune eagle ember engine falcon feather fern ferry fiddle field finch flint forest fountain fox garden garnet geyser " +
  "ginger glacier globe granite grove guitar hamlet hammer harbour harvest hazel heron hill hollow honey horizon island " +
  "ivory jasmine jetty juniper kestrel kettle kiosk kitchen ladder lagoon lake lantern larch laurel lemon library lilac " +
  "linen lion lobby lotus magnet mango maple marble market marsh meadow melon mill mirror moss mountain museum nectar " +
  "nutmeg oak oasis ocean olive orbit orchard otter owl paddle palace panda paper parade path pebble pepper pier pigeon " +
  "pillow pine planet plaza plum pocket pond poppy prairie puffin quarry quartz quill rabbit raft rain raven reef ribbon " +
  "ridge river robin rocket saddle saffron sail salmon sand saturn scarf shell shore silver slate snow spruce stable " +
  "station stone stream studio summit sunset swan table teapot temple thicket thistle tiger timber tower trail tulip " +
  "tunnel turtle valley velvet village violet walnut willow window winter wolf wren yarrow zephyr"
).split(" ");

/** Nicknames that nobody takes for a real name: the default for a person in English. */
export const nicknames: readonly string[] = (
  "Acorn Badger Bamboo Beetle Biscuit Blossom Bramble Bumblebee Buttons Canary Caramel Cheesecake Chestnut " +
  "Chickadee Chipmunk Cinnamon Clementine Clover Cobbler Cocoa Cookie Cricket Crumpet Cupcake Dandelion Dolphin " +
  "Doodle Dragonfly Dumpling Falafel Feather Ferret Firefly Flamingo Fudge Gingersnap Gizmo Gosling Hedgehog Heron " +
  "Honeybee Hummingbird Jellybean Juniper Kettle Kingfisher Koala Ladybird Lemon Lentil Lollipop Lynx Macaroon " +
  "Magpie Mango Maple Marmot Marshmallow Meerkat Meteor Mittens Mochi Moonbeam Muffin Mustard Narwhal Nectarine " +
  "Noodle Nutmeg Octopus Olive Orchid Otter Pancake Panda Papaya Parsnip Peanut Pebble Penguin Pepper Pickle Pigeon " +
  "Pine Pixel Popcorn Poppy Porcupine Pretzel Puddle Puffin Pumpkin Quail Quokka Rabbit Raccoon Radish Robin Rocket " +
  "Saffron Salmon Seahorse Seal Sesame Sherbet Snowdrop Snowflake Sparkle Sparrow Sprout Squirrel Starfish Sunbeam " +
  "Sunflower Teapot Thimble Tiramisu Toffee Truffle Tulip Turnip Turtle Waffle Wallaby Walnut Walrus Wombat Zebra " +
  "Zigzag"
).split(" ");
