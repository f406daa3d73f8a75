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

/** Last names from many places: the default for a person's name. */
export const lastNames: readonly string[] = (
  "Abara Adeyemi Aguilar Ahmed Almeida Alvarez Andersson Aoki Arslan Asante Baker Banerjee Barbosa Bauer Becker Bennett " +
  "Berg Bianchi Blanchet Boateng Bondar Brandt Brooks Carter Castillo Chang Chaudhry Chen Cohen Costa Dahl Daniels Das " +
  "Delgado Demir Diallo Dimitrov Dubois Dvorak Eriksen Esposito Evans Farah Fernandez Ferrari Fischer Fleming Fofana " +
  "Fontaine Fujita Garcia Gomez Greco Greenberg Gupta Haddad Hansen Hasan Hayashi Hernandez Hoffmann Horvat Hughes Ibrahim " +
  "Iqbal Ishikawa Ivanov Jansen Jensen Johansson Joshi Kamara Kaplan Kato Keller Khalil Kim Kimura Klein Kovacs Kowalski " +
  "Kruger Kumar Larsen Laurent Lee Lehmann Leroy Lindqvist Lopez Lund Maeda Mancini Mansour Marino Martin Matsuda Mbeki " +
  "Mehta Mendoza Meyer Molina Moreau Moretti Murphy Nakamura Nasser Navarro Nguyen Nielsen Novak Obi Ochoa Ogawa Okafor " +
  "Oliveira Olsen Ono Ortiz Osei Owusu Pacheco Papadopoulos Park Patel Pereira Petrov Pham Popescu Quinn Rahman Ramirez " +
  "Rao Reyes Ricci Rivera Romano Rossi Ruiz Saito Salazar Santos Sato Schmidt Schneider Sharma Silva Singh Soto Suzuki " +
  "Svensson Takahashi Tanaka Tavares Torres Tran Usman Vargas Vasquez Vidal Virtanen Wagner Walker Watanabe Weber Wilson " +
  "Wong Yamada Yang Yilmaz Yoshida Zhang Zhou Zimmermann"
).split(" ");
